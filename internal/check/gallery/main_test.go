package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"girih/internal/check/cmdline"
	"girih/internal/service"
)

// TestUpToDate checks that docs/gallery contains exactly the files that the table gives.
func TestUpToDate(t *testing.T) {
	t.Parallel()
	const dir = "../../../docs/gallery"
	want, err := build()
	if err != nil {
		t.Fatal(err)
	}
	there, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range there {
		if want[f.Name()] == nil {
			t.Errorf("%s is not in the table", f.Name())
		}
	}
	total := 0
	for name, data := range want {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			continue
		}
		if !bytes.Equal(got, data) {
			t.Errorf("%s differs: go generate ./internal/check/gallery, and look at it", name)
		}
		total += len(data)
		if len(data) > 140_000 {
			t.Errorf("%s has %d bytes: expected at most 140,000", name, len(data))
		}
	}
	if total > 2_200_000 {
		t.Errorf("the gallery has %d bytes: expected at most 2,200,000", total)
	}
}

// TestEveryKind checks that the gallery has a picture of each kind.
func TestEveryKind(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range sections {
		for _, e := range s.entries {
			if e.caption == "" || e.title == "" || e.name == "" {
				t.Errorf("%s %q has no caption, title or name", s.title, e.command)
			}
			out, err := run(append(e.args(), "--json"), e.name)
			if err != nil {
				t.Error(err)
				continue
			}
			var r struct{ As string }
			if err := json.Unmarshal(out, &r); err != nil {
				t.Errorf("%s: %v", e.name, err)
			}
			seen[r.As] = true
			if strings.Contains(e.command, "--as value") {
				seen["value"] = true // As states the kind as which the value is drawn
			}
		}
	}
	for _, p := range service.Pictures() {
		if !seen[p.Kind] {
			t.Errorf("there is no picture of the kind %s", p.Kind)
		}
	}
}

// TestWords checks that no picture in a terminal has curves made of dots, which are not legible.
func TestWords(t *testing.T) {
	t.Parallel()
	commands := []string{"'zipped_divide((3,4):(4,1), <2,2>)'", "'coalesce((2,(2,6),4):(1,(2,8),96))'", "'(4,4):(4,2)' --as wiring"}
	for _, s := range sections {
		for _, e := range s.entries {
			if e.inline() == "" {
				commands = append(commands, e.command)
			}
		}
	}
	for _, c := range commands {
		out, err := run(append([]string{"draw", "--format", "txt"}, cmdline.Split(c)...), c)
		if err != nil {
			t.Error(err)
		} else if strings.ContainsFunc(string(out), func(r rune) bool { return r > 0x2800 && r <= 0x28ff }) {
			t.Errorf("%s has dots:\n%s", c, out)
		}
	}
}

// TestPage checks that each picture fits the page at full size, with legible text.
func TestPage(t *testing.T) {
	t.Parallel()
	size := regexp.MustCompile(`font-size:([0-9.]+)px`)
	files, err := build()
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if m := width.FindSubmatch(data); m != nil && atoi(string(m[1])) > readable {
			t.Errorf("%s is %s points wide, want at most %d", name, m[1], readable)
		}
		for _, m := range size.FindAllSubmatch(data, -1) {
			if px, err := strconv.ParseFloat(string(m[1]), 64); err != nil || px < 10 {
				t.Errorf("%s has text of %s points, want at least 10", name, m[1])
			}
		}
	}
}

// TestChinese checks that the Chinese page has a text for each English one, and no others.
func TestChinese(t *testing.T) {
	t.Parallel()
	words := chinese()
	used := map[string]bool{}
	for _, s := range sections {
		used[s.title], used[s.text] = true, true
		for _, e := range s.entries {
			used[e.title], used[e.caption] = true, true
		}
	}
	delete(used, "")
	for text := range used {
		if words[text] == "" {
			t.Errorf("zh.json does not have %q", text)
		}
	}
	for text := range words {
		if !used[text] && !strings.Contains(text, "%d") && text != "Gallery" {
			t.Errorf("zh.json has %q, which the gallery does not", text)
		}
	}
	if p := (&page{words: words}); p.in("Layouts!") != "" || len(p.missing) != 1 {
		t.Errorf("a text without a translation is not missing: %q", p.missing)
	}
}
