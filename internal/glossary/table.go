//go:build !js

package glossary

import (
	"slices"
	"strings"
)

// The columns of the packed table.
const (
	names = iota
	also
	cpp
	dsl
	papers
	examples
	values
	see
	meanings // the meanings in the first language
)

// Names returns the names of all terms, sorted.
func Names() []string {
	all := columns()[names]
	return all[countHeadings(all):]
}

// countHeadings returns the number of headings, which come before the terms.
func countHeadings(all []string) int {
	n := 0
	for n < len(all) && strings.HasPrefix(all[n], "@") {
		n++
	}
	return n
}

// Find returns the term with that name or alias, or nil. Capitals, blanks, hyphens and underscores
// do not matter: bank conflict is bank_conflict, and ThrMMA is thr_mma.
func Find(name string, l Language) *Term {
	c := columns()
	want := plain(name)
	if want == "" {
		return nil
	}
	for k, n := range c[names] {
		if n[0] == '@' || plain(n) != want && !slices.Contains(strings.Split(plain(c[also][k]), ";"), want) {
			continue
		}
		return &Term{
			Name: n, Meaning: Text(n, l), Also: list(c[also][k]), CPP: c[cpp][k], DSL: c[dsl][k], Papers: c[papers][k],
			Example: c[examples][k], Value: c[values][k], See: list(c[see][k]), Language: l,
		}
	}
	return nil
}

// AllNames returns the names and other names of all terms.
func AllNames() []string {
	out := slices.Clone(Names())
	for _, x := range columns()[also] {
		out = append(out, list(x)...)
	}
	return out
}

// list returns the names in a list.
func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ";")
}

// plain returns a name without what Find ignores.
func plain(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r == '_' {
			return -1
		}
		return r
	}, name))
}

// Text returns the meaning of the term with that name in a language. The table also has headings under names such as
// @example. Text returns "" for an unknown name.
func Text(name string, l Language) string {
	k := slices.Index(columns()[names], name)
	if k < 0 {
		return ""
	}
	return columns()[meanings+slices.Index(Languages, l)][k]
}
