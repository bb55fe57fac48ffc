package service

import (
	"strings"
	"testing"

	"girih/internal/lang/eval"
)

// The names of a notation are unique. Its example has a value, unless the example is not an expression.
func TestNotations(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for i := range notations {
		n := &notations[i]
		for _, name := range n.names {
			if was, ok := seen[name]; ok {
				t.Errorf("%s is a name of %s and of %s", name, was, n.names[0])
			}
			seen[name] = n.names[0]
			if b, ok := eval.Lookup(name); ok && name != n.names[0] || notationOf(name) != n {
				t.Errorf("%s is the function %q, or not found", name, b.Name)
			}
		}
		text := n.topic().Text(100)
		if n.doc == "" || n.example != "" && !strings.Contains(text, "Example:\n  "+n.example+"\n  ") {
			t.Errorf("%s has the help %s", n.names[0], text)
		}
	}
}
