// Package archtest tests the repository as a whole: what each package may import (the floors in table_test.go, shown in
// docs/design/house.md), that each package and export has a comment and each type has an example that runs, that files,
// functions and sentences stay readable (limits.txt), and that girih stays one static binary.
//
// The rules are pure functions over a description of a package (rules_test.go, exports_test.go). archtest_test.go feeds
// them the real tree, and the files *_fail_test.go feed them made-up trees that break each rule.
package archtest
