package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// Every field of every tool is described.
func TestFieldsAreDescribed(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, tool := range tools() {
		d := tool.definition()
		for _, s := range []*jsonschema.Schema{d.InputSchema.(*jsonschema.Schema), d.OutputSchema.(*jsonschema.Schema)} {
			described(t, tool.name, s, seen)
		}
	}
}

func described(t *testing.T, of string, s *jsonschema.Schema, seen map[string]bool) {
	for name, p := range s.Properties {
		at := of + "." + name
		if strings.TrimSpace(p.Description) == "" && !seen[at] {
			seen[at] = true
			t.Errorf("%s has no description: write a comment at the field, and run go generate ./internal/mcp", at)
		}
		if strings.Contains(p.Description, "[") && strings.Contains(p.Description, "]") && !strings.Contains(p.Description, `["`) {
			t.Logf("%s: %s", at, p.Description)
		}
	}
	for name, d := range s.Defs {
		described(t, name, d, seen)
	}
}

// The schemas are valid and small enough to be read by an assistant in every conversation.
func TestSchemasResolve(t *testing.T) {
	t.Parallel()
	total := 0
	for _, tool := range tools() {
		d := tool.definition()
		for _, s := range []*jsonschema.Schema{d.InputSchema.(*jsonschema.Schema), d.OutputSchema.(*jsonschema.Schema)} {
			if _, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true}); err != nil {
				t.Errorf("%s: %v", tool.name, err)
			}
		}
		in, err := json.Marshal(d.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		total += len(in) + len(d.Description)
	}
	if total > 24<<10 {
		t.Errorf("descriptions and input schemas have %d bytes, want at most 24 KiB", total)
	}
}
