package reader

// This file defines the heuristics of this package: tables of named conditions. A table is read from the top: the
// first row whose condition holds decides, and if no row holds the answer is no. rule_internal_test.go reads the
// example of every row with and without the row: each row must make a difference.
//
// The tables, in the order in which a pasted text meets them:
//
//   - tornRules: an argument that is really two (list.go)
//   - endRules: a bracket that is missing at the end of a list (list.go)
//   - acceptRules: a parsed value that is a value, and not a piece of prose (accept.go)
//   - choiceRules: a : b that is a choice of C or an entry of a Python dictionary (stand.go)
//   - standRules: 4:1 that is a layout, and not a ratio or a time (stand.go)

// A rule is one row of a heuristic on subjects of type T.
type rule[T any] struct {
	kinds   kindSet // the kinds of values to which the row applies; 0 for all
	name    string  // the condition on the subject, in words
	holds   func(T) bool
	answer  bool   // the answer of the heuristic if the condition holds
	example string // a text that is read differently without this row
}

// rules are the rows of a heuristic, in the order in which decide tries them.
type rules[T any] []rule[T]

// decide returns the answer of the first row that holds for a subject of the given kind.
func (rs rules[T]) decide(kind nodeKind, subject T) bool {
	for i := range rs {
		if r := &rs[i]; r.kinds.has(kind) && r.holds(subject) {
			return r.answer
		}
	}
	return false
}

// A kindSet is a set of kinds of nodes, one bit each: 1<<nodeTuple | 1<<nodeList. The empty set means all kinds.
type kindSet uint32

func (set kindSet) has(k nodeKind) bool { return set == 0 || set>>k&1 == 1 }
