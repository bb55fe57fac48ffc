package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"girih/internal/door/web/deflate"
)

// language writes LANGUAGE.json.gz, the texts of the page in a language: the words of lang/LANGUAGE.json, the
// lessons of lessons/LANGUAGE, in the order of their files, which is the order of the lessons, and the words of the
// service's rows, lang/LANGUAGE_forms.json.
func language(from, to, code string) error {
	files, err := filepath.Glob(filepath.Join(from, "lessons", code, "*.json"))
	if err != nil {
		return err
	}
	var all bytes.Buffer
	add := func(before, name string) error {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		all.WriteString(before)
		if err := json.Compact(&all, text); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	if err := add(`{"words":`, filepath.Join(from, "lang", code+".json")); err != nil {
		return err
	}
	before := `,"lessons":[`
	for _, name := range files {
		if err := add(before, name); err != nil {
			return err
		}
		before = ","
	}
	all.WriteString("]")
	if err := add(`,"forms":`, filepath.Join(from, "lang", code+"_forms.json")); err != nil {
		return err
	}
	all.WriteString("}")
	return os.WriteFile(filepath.Join(to, code+".json.gz"), deflate.Gzip(all.Bytes()), 0o644)
}
