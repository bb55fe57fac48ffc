package glossary

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// A Term is an entry in one language.
type Term struct {
	Name    string   `json:"name"`
	Meaning string   `json:"meaning"`
	Also    []string `json:"also,omitempty"`   // other names
	CPP     string   `json:"cpp,omitempty"`    // as CuTe's C++ writes it; "" if it has no name there
	DSL     string   `json:"dsl,omitempty"`    // the same in the CuTe DSL
	Papers  string   `json:"papers,omitempty"` // as papers write it
	Example string   `json:"example"`          // an expression, or a command that begins with "girih "
	Value   string   `json:"value"`            // of the expression, or a part of the output of the command
	See     []string `json:"see"`              // names of related terms

	Language Language `json:"-"`
}

// A Language is the language of meanings and headings.
type Language string

// The languages.
const (
	English Language = "en"
	Chinese Language = "zh"
)

// Languages are all languages, in the order in which they are packed.
var Languages = []Language{English, Chinese}

// ParseLanguage returns the language with that code, English for "".
func ParseLanguage(code string) (Language, error) {
	l := Language(strings.ToLower(code))
	if code == "" {
		return English, nil
	}
	if !slices.Contains(Languages, l) {
		return English, fmt.Errorf("expected the language en or zh, found %.40q", code)
	}
	return l, nil
}

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
	meanings // in the first language
)

var columns = sync.OnceValue(func() [][]string {
	var c [][]string
	if text := JSON(); text == nil {
		c = make([][]string, meanings+len(Languages))
	} else if err := json.Unmarshal(text, &c); err != nil {
		panic(err) // the file is in the binary
	}
	return c
})

// JSON returns the packed table as the page reads it, nil in a build without the glossary.
func JSON() []byte {
	if compressed == nil {
		return nil
	}
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		panic(err) // the file is in the binary
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return text
}

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

// Find returns the term with that name or other name, nil if there is none. Capitals, blanks, hyphens and underscores
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

// Text returns the meaning of the term with that name, or a heading, such as @example, in a language.
func Text(name string, l Language) string {
	k := slices.Index(columns()[names], name)
	if k < 0 {
		return ""
	}
	return columns()[meanings+slices.Index(Languages, l)][k]
}
