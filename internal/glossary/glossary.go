package glossary

import (
	"fmt"
	"slices"
	"strings"
)

// A Term is an entry in one language.
type Term struct {
	Name    string   `json:"name"`
	Meaning string   `json:"meaning"`
	Also    []string `json:"also,omitempty"`   // other names
	CPP     string   `json:"cpp,omitempty"`    // the term in CuTe's C++; "" if it has no name there
	DSL     string   `json:"dsl,omitempty"`    // the term in the CuTe DSL; "" if it has no name there
	Papers  string   `json:"papers,omitempty"` // the term in papers
	Example string   `json:"example"`          // an expression, or a command that begins with "girih "
	Value   string   `json:"value"`            // the value of the expression, or a part of the output of the command
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
