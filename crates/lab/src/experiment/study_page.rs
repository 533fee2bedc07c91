//! Pages that ask people: what they show is put into them, so that each is one file that opens anywhere.

/// The page of a study with its material as JSON, looking like all of them.
pub(super) fn fill(template: &str, material: &str) -> String {
    template.replace("/*STYLE*/", include_str!("study_page.css")).replace("/*MATERIAL*/null", material)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_their_style_and_material() {
        for template in
            [include_str!("cell_marking/film_study.html"), include_str!("diversity/clone_study.html")]
        {
            let page = fill(template, "[1, 2]");
            assert!(page.contains("const MATERIAL = [1, 2];") && page.contains("canvas { width: 100%"));
            assert!(!page.contains("/*STYLE*/") && !page.contains("/*MATERIAL*/"));
        }
    }
}
