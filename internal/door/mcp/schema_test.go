package mcp

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"girih/internal/service"
)

// Every argument of every tool is described in words for assistants, without flags or Go.
func TestArgumentsAreDescribed(t *testing.T) {
	t.Parallel()
	foreign := regexp.MustCompile(`(^|[ (])--?[a-z]|\bgirih [a-z]+ |\[\]|json:|[a-z]\.[A-Z]|\b(Text|Expr|Accesses|Request)\b`)
	for _, tool := range tools() {
		for _, a := range tool.arguments() {
			if strings.TrimSpace(a.Doc) == "" {
				t.Errorf("%s.%s has no description: its field needs a tag jsonschema", tool.Name, a.Name)
			}
			if m := foreign.FindString(a.Doc); m != "" {
				t.Errorf("%s.%s is described with %q: %s", tool.Name, a.Name, m, a.Doc)
			}
		}
		if m := foreign.FindString(tool.Tool.Doc + " " + tool.Tool.Brief + " " + tool.Tool.Smaller); m != "" {
			t.Errorf("%s is described with %q", tool.Name, m)
		}
		for name := range tool.Words {
			if !slices.ContainsFunc(tool.arguments(), func(a service.Argument) bool { return a.Name == name && a.Words != nil }) {
				t.Errorf("%s has no argument %s, whose words it says", tool.Name, name)
			}
		}
	}
}

// Arguments with the same description have the same name in all tools.
func TestOneName(t *testing.T) {
	t.Parallel()
	kinds := map[string]string{}
	for _, tool := range tools() {
		for _, a := range tool.arguments() {
			if slices.Contains([]string{"layout", "memory", "tiled", "arch", "dtype", "text"}, a.Name) &&
				tool.Name != "why" && tool.Name != "read" {
				t.Errorf("%s has an argument %s, which other tools call expr, atom, target or type", tool.Name, a.Name)
			}
			kind := a.Expectation()
			if was, ok := kinds[a.Name]; ok && was != kind && len(a.Words) == 0 {
				t.Errorf("%s of %s is %s, and elsewhere %s", a.Name, tool.Name, kind, was)
			}
			if len(a.Words) == 0 {
				kinds[a.Name] = kind
			}
		}
	}
}

// maxList is how long the list of tools may be, in bytes: an assistant reads it in every conversation, 1,100 bytes
// a tool.
const maxList = 26000

// The schemas are valid, and the list is short.
func TestToolsList(t *testing.T) {
	t.Parallel()
	list := (&server{tools: tools()}).definitions()
	for _, d := range list {
		if r := resolved(t, d.InputSchema); r.Schema().Type != "object" || len(r.Schema().Properties) == 0 {
			t.Errorf("%s has the schema %v", d.Name, r.Schema())
		}
	}
	text, err := json.Marshal(listing{Tools: list})
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > maxList {
		t.Errorf("the list of tools has %d bytes, want at most %d", len(text), maxList)
	}
}
