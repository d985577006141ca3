//! Files of hosts, and of secrets.

use crate::spawn::file;
use lariat_cluster::{Secret, hosts};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

#[test]
fn hosts_are_read_in_their_order() {
    let path = file(
        "hosts",
        "# the big ones\na.example:2101\n\n  10.0.0.2:2101  # comment\n[fd00::1]:2101\r\n",
    );
    assert_eq!(hosts::read(&path).unwrap(), ["a.example:2101", "10.0.0.2:2101", "[fd00::1]:2101"]);
}

#[test]
fn what_is_wrong_with_hosts_is_located() {
    for (text, said) in [
        ("a:1\nb", "hosts:2: 'b' has no port: expected address:port"),
        ("a:0", "hosts:1: '0' is no port: expected a number from 1 to 65535"),
        ("\na:70000", "hosts:2: '70000' is no port: expected a number from 1 to 65535"),
        (
            ":1",
            "hosts:1: '' is no address: expected a name, an IPv4 address, or an IPv6 address in brackets",
        ),
        (
            "a b:1",
            "hosts:1: 'a b' is no address: expected a name, an IPv4 address, or an IPv6 address in brackets",
        ),
        (
            "fd00::1:1",
            "hosts:1: 'fd00::1' is no address: expected a name, an IPv4 address, or an IPv6 address in brackets",
        ),
        ("a:1\n# b\na:1", "hosts:3: a:1 is in line 1 already"),
        ("# nothing", "hosts: names no process"),
    ] {
        assert_eq!(hosts::parse(text, "hosts").unwrap_err().to_string(), said);
    }
    let missing = hosts::read("/nowhere/hosts".as_ref()).unwrap_err().to_string();
    assert!(missing.starts_with("/nowhere/hosts: "), "{missing}");
}

#[test]
fn a_secret_comes_from_a_file_that_nobody_else_reads() {
    let path = file("secret", "  0123456789abcdef\n");
    std::fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    assert_eq!(Secret::read(&path), Secret::new(b"0123456789abcdef"));
    std::fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    assert!(Secret::read(&path).unwrap_err().contains("other users may read it: chmod 600 "));
    let path = file("empty", "\n");
    std::fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    assert!(
        Secret::read(&path)
            .unwrap_err()
            .ends_with("a secret needs 16 bytes or more, this one has 0")
    );
    assert!(Secret::read("/nowhere/secret".as_ref()).unwrap_err().starts_with("/nowhere/secret: "));
    assert_eq!(format!("{:?}", Secret::new(b"0123456789abcdef").unwrap()), "Secret(…)");
}
