// Package archtest holds tests about the repository as a whole and nothing else: which package may import
// which (the table in table_test.go, which go test -update writes into docs/design.md), that every package says what it
// is for and everything it exports too, with an example that runs, that no file grows past what one can read, and that
// the girih command stays one static binary.
//
// The rules are pure functions over a description of a package (rules_test.go, exports_test.go); archtest_test.go feeds
// them the real tree, and rules_fail_test.go and exports_fail_test.go feed them made-up trees that break each rule.
package archtest
