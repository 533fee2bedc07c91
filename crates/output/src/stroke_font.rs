//! A small alphabet of straight strokes, for pictures that must not depend on installed fonts.

/// The strokes of a character on a grid 4 wide and 6 high, y down: pairs of digits, one line for each word.
/// Characters without strokes are blank.
fn strokes(character: char) -> &'static str {
    match character.to_ascii_lowercase() {
        '0' => "103041453616050110",
        '1' => "112026 0646",
        '2' => "01103041420646",
        '3' => "0110304142334445361605 1333",
        '4' => "36300444",
        '5' => "400003334445361605",
        '6' => "4130100105163645443304",
        '7' => "004016",
        '8' => "103041423313020110 1304051636454433",
        '9' => "423313020110304145361605",
        'a' => "062046 1333",
        'b' => "0006364544333342413000 0333",
        'c' => "4130100105163645",
        'd' => "00062644422000",
        'e' => "40000646 0333",
        'f' => "400006 0333",
        'g' => "41301001051636454323",
        'h' => "0006 4046 0343",
        'i' => "2026",
        'j' => "4045361605",
        'k' => "0006 4003 0346",
        'l' => "000646",
        'm' => "0600234046",
        'n' => "06004640",
        'o' => "103041453616050110",
        'p' => "06003041423303",
        'q' => "103041453616050110 3446",
        'r' => "06003041423303 2346",
        's' => "413010010213334445361605",
        't' => "0040 2026",
        'u' => "000516364540",
        'v' => "002640",
        'w' => "0016233640",
        'x' => "0046 4006",
        'y' => "002340 2326",
        'z' => "00400646",
        '.' => "2526",
        ',' => "2517",
        '-' => "1333",
        ':' => "2122 2526",
        _ => "",
    }
}

/// The lines of a text whose letters are `height` high, starting at (0, 0), y down; and the text's width.
pub(crate) fn lines(text: &str, height: f32) -> (Vec<Vec<(f32, f32)>>, f32) {
    let unit = height / 6.0;
    let advance = 6.0 * unit;
    let mut lines = Vec::new();
    for (i, character) in text.chars().enumerate() {
        for word in strokes(character).split(' ') {
            let digits: Vec<f32> = word.bytes().map(|b| f32::from(b.saturating_sub(b'0'))).collect();
            let line: Vec<(f32, f32)> =
                digits.chunks_exact(2).map(|p| (p[0] * unit + i as f32 * advance, p[1] * unit)).collect();
            if line.len() > 1 {
                lines.push(line);
            }
        }
    }
    (lines, (text.chars().count() as f32 * advance - 2.0 * unit).max(0.0))
}
