package scope_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"girih/internal/lang/scope"
)

// This file compares the definitions of names in random sources with the values that the sources print when they run. A
// probe is a line such as probe(7, K); the run prints the values that K has there, and a definition must give the only
// one.

// probeMark matches a probe: its number and its name.
var probeMark = regexp.MustCompile(`probe\((\d+), (\w+)\)`)

// A tally counts what is said of names.
type tally struct{ certain, refused, unbound int }

// compareProbes compares the definitions of names at probes with the values that they had, by the number of the probe.
func compareProbes(t *testing.T, language scope.Language, text string, values map[int][]int, sum *tally) {
	t.Helper()
	source := scope.Read(language, text, 0, func(name string) bool { return name == "probe" })
	for line, code := range strings.Split(text, "\n") {
		m := probeMark.FindStringSubmatch(code)
		if m == nil {
			continue
		}
		id, _ := strconv.Atoi(m[1])
		for _, u := range source.Uses(line, line+1) {
			if u.Name != m[2] {
				continue
			}
			got, why := valueOf(source, u, line, 9)
			switch {
			case why != "":
				sum.refused++
			case u.Def == nil:
				sum.unbound++
				elsewhere := regexp.MustCompile(`import.*\b` + u.Name + `\b|exec\(|globals\(|f.{\(` + u.Name)
				if len(values[id]) > 0 && !elsewhere.MatchString(text) {
					t.Fatalf("line %d: nothing binds %s, which has the values %v\n%s", line+1, u.Name, values[id], numbered(text))
				}
			default:
				sum.certain++
				for _, want := range values[id] {
					if got != want {
						t.Fatalf("line %d: %s is %d by the definition at line %d, and %v in a run\n%s", line+1, u.Name, got,
							u.Def.Line+1, values[id], numbered(text))
					}
				}
			}
		}
	}
}

// valueOf computes the value of a name by its definition; why says that it is not certain.
func valueOf(source scope.Source, u scope.Use, line, depth int) (value int, why string) {
	switch {
	case u.Why != "" || depth == 0:
		return 0, u.Why + " refused"
	case u.Def == nil:
		return 0, ""
	}
	text := strings.TrimSuffix(u.Def.Text, ";")
	if !u.Def.Macro {
		_, text, _ = strings.Cut(text, "=")
	}
	for term := range strings.SplitSeq(text, "+") {
		term = strings.TrimSpace(term)
		if n, err := strconv.Atoi(term); err == nil {
			value += n
			continue
		}
		found := false
		for _, need := range source.Needs(u.Def, line) {
			if need.Name == term && !found {
				n, why := valueOf(source, need, line, depth-1)
				if why != "" || need.Def == nil {
					return 0, why + " refused"
				}
				value, found = value+n, true
			}
		}
		if !found {
			return 0, "it is " + term
		}
	}
	return value, ""
}

func numbered(text string) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		fmt.Fprintf(&b, "%4d  %s\n", i+1, line)
	}
	return b.String()
}

// readProbes reads lines "NUMBER VALUE".
func readProbes(text string) map[int][]int {
	values := map[int][]int{}
	for line := range strings.SplitSeq(text, "\n") {
		var id, value int
		if n, _ := fmt.Sscanf(line, "%d %d", &id, &value); n == 2 {
			values[id] = append(values[id], value)
		}
	}
	return values
}

// A writer writes a random source.
type writer struct {
	strings.Builder
	next   func(n int) int // a random number below n
	indent int
	probes int
	names  int
}

func (w *writer) line(format string, args ...any) {
	w.WriteString(strings.Repeat("    ", w.indent) + fmt.Sprintf(format, args...) + "\n")
}

// name is one of the names that are bound again and again.
func (w *writer) name() string { return string(rune('K' + w.next(3))) }

// fresh is a name that is bound once.
func (w *writer) fresh(prefix string) string {
	w.names++
	return fmt.Sprintf("%s%d", prefix, w.names)
}

func (w *writer) value() int { return 1 + w.next(900) }

func (w *writer) probe(end string) string {
	w.probes++
	return fmt.Sprintf("probe(%d, %s)%s", w.probes, w.name(), end)
}
