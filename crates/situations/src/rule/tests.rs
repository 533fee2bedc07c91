use super::*;

fn script(rules: &[&str]) -> Result<Script, Vec<RuleError>> {
    let sensors = vec![
        ("light".to_owned(), Sensor::Signal(SignalId(0))),
        ("gate".to_owned(), Sensor::Proximity { to: Vec2::new(3.0, 4.0) }),
        ("friend".to_owned(), Sensor::Agent(crate::sensor::Whom::Nearest)),
    ];
    let memory = vec![("waited".to_owned(), Value::Whole(0))];
    let sources: Vec<Source> =
        rules.iter().map(|text| Source { text: (*text).to_owned(), line: 10 }).collect();
    let signals = vec![("light".to_owned(), SignalId(0))];
    Script::compile(sensors, memory, &sources, Names { signals, ..Names::default() })
}

fn readings(on: bool) -> [Reading; 3] {
    [Reading::Flag(on), Reading::Number(5.0), Reading::Agent(Seen { distance: 1.5, ..Seen::default() })]
}

#[test]
fn rules_see_sensors_and_change_memory_and_influence() {
    let script = script(&["if light { me.go_to(\"gate\") } else { waited += 1; me.stand() }"]).unwrap();
    let mut memory = script.fresh().memory;
    let me = script.run(0, script.someone(Facts::default()), &readings(false), &mut memory).unwrap();
    assert!(me.influence.stand && me.influence.target.is_none());
    assert_eq!(memory, [Value::Whole(1)]);
    let me = script.run(0, script.someone(Facts::default()), &readings(true), &mut memory).unwrap();
    assert_eq!(me.influence.target, Some(Vec2::new(3.0, 4.0)));
    assert_eq!(memory, [Value::Whole(1)]);
}

#[test]
fn rules_wish_and_scale() {
    let text = "me.remove(\"dont-turn\"); me.scale(\"find-target\", 2.0); me.raise(\"light\"); \
                if friend.distance < 2.0 { me.leave() }";
    let script = script(&[text]).unwrap();
    let me = script.run(0, script.someone(Facts::default()), &readings(true), &mut script.fresh().memory);
    let me = me.unwrap();
    assert_eq!(me.wishes, [Wish::Switch(SignalId(0), Some(true)), Wish::Leave]);
    assert!(me.influence.removes.has(crate::situation::Defaults::DONT_TURN));
    assert_eq!(me.influence.power(crate::situation::Defaults::TARGET_FIND), 2.0);
}

#[test]
fn mistakes_name_their_line() {
    let errors = script(&["me.stand();\nif lihgt { me.stand() }", "let = 3"]).unwrap_err();
    assert_eq!(errors.iter().map(|error| error.line).collect::<Vec<_>>(), [11, 10]);
    assert!(errors[0].what.contains("lihgt"), "{errors:?}");
    let script = script(&["let x = 1;\nme.show(\"dance\")"]).unwrap();
    let errors = script.rehearse();
    assert_eq!((errors.len(), errors[0].line), (1, 11));
    assert!(errors[0].what.contains("dance"), "{errors:?}");
}

#[test]
fn what_never_ends_is_ended_and_changes_nothing() {
    let script = script(&["loop { waited += 1; me.stand() }"]).unwrap();
    let mut memory = script.fresh().memory;
    let error = script.run(0, script.someone(Facts::default()), &readings(true), &mut memory).err().unwrap();
    assert!(error.what.contains("did not end"), "{error}");
    assert_eq!(memory, [Value::Whole(0)]);
    assert_eq!(script.rehearse().len(), 1);
}

#[test]
fn the_sandbox_is_closed() {
    for text in [
        "import \"std\" as x;",
        "eval(\"me.stand()\")",
        "fn f() { 1 }",
        "let x = 2.0 ** 0.5;",
        "let t = timestamp();",
        "let s = open(\"/etc/passwd\");",
        "me = 3;",
        "waited = \"text\";",
        "let me = 3;",
    ] {
        let failed = script(&[text]).map_or(true, |script| !script.rehearse().is_empty());
        assert!(failed, "`{text}` should not run");
    }
    let doubling = "let s = \"aaaaaaaa\"; loop { s += s; }";
    assert_eq!(script(&[doubling]).unwrap().rehearse().len(), 1);
}
