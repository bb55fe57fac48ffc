package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"girih/internal/door/web/deflate"
	"girih/internal/file"
)

// packGlossary writes glossary.json.gz to the folder of package glossary, whose comment describes it.
func packGlossary(dir string) error {
	var terms []struct {
		Name, CPP, DSL, Papers, Example, Value string
		Also, See                              []string
	}
	languages := make([]map[string]string, 2)
	for name, to := range map[string]any{"terms": &terms, "en": &languages[0], "zh": &languages[1]} {
		text, err := os.ReadFile(filepath.Join(dir, name+".json"))
		if err != nil {
			return err
		}
		if err := json.Unmarshal(text, to); err != nil {
			return fmt.Errorf("%s.json: %w", name, err)
		}
	}
	columns := make([][]string, 8+len(languages))
	add := func(name string, rest ...string) {
		for k, x := range append([]string{name}, rest...) {
			columns[k] = append(columns[k], x)
		}
		for k, texts := range languages {
			columns[8+k] = append(columns[8+k], texts[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(languages[0])) {
		if strings.HasPrefix(name, "@") {
			add(name, make([]string, 7)...)
		}
	}
	for _, t := range terms {
		add(t.Name, strings.Join(t.Also, ";"), t.CPP, t.DSL, t.Papers, t.Example, t.Value, strings.Join(t.See, ";"))
	}
	text, err := json.Marshal(columns)
	if err != nil {
		return err
	}
	// JSON parsers accept these characters unescaped, and the text compresses better.
	text = []byte(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(text)))
	return file.Replace(filepath.Join(dir, "glossary.json.gz"), deflate.Gzip(text), 0o644)
}
