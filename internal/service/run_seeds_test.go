package service_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"girih/internal/check/long"
	"girih/internal/service"
)

// A block is a piece of code from a document on CuTe. Documents are given by number; line is the line in the
// document.
type block struct {
	file, line string
	not        string // why the block is not run; "" if it is
	parts      map[string]string
}

// seedBlocks reads testdata/seeds. A block begins with "#### LINE run", or with "#### LINE run as a page" if some lines
// are no code, with "#### LINE not: REASON", or with "#### LINE printed" if it is the output of a program, which has
// nothing to run. The block's parts follow: code to run first, the code itself, code to run afterwards to show what the
// code has bound, and the expected output, whole or in part.
func seedBlocks(t *testing.T) (list []block) {
	t.Helper()
	files, err := filepath.Glob("testdata/seeds/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no seeds: %v", err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		part := ""
		for line := range strings.Lines(string(text)) {
			head, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "#### ")
			switch number, what, isBlock := strings.Cut(head, " "); {
			case !ok:
				list[len(list)-1].parts[part] += line
			case isBlock:
				b := block{file: filepath.Base(f), line: number, parts: map[string]string{}}
				if what != "run" && what != "run as a page" && what != "printed" {
					b.not = strings.TrimPrefix(what, "not: ")
				}
				list = append(list, b)
			default:
				part = head
			}
		}
	}
	return list
}

// TestSeedBlocks checks that the code in the documents runs and prints what the documents say. Blocks that do not run
// are listed with the reason, and are refused. Names bound in a document are known in its later blocks.
func TestSeedBlocks(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	sessions := map[string]*service.Session{}
	refused := 0
	for _, b := range seedBlocks(t) {
		s := sessions[b.file]
		if s == nil {
			s = new(service.Session)
			sessions[b.file] = s
		}
		if b.not != "" {
			refused++
			if r := new(service.Session).Run(service.RunRequest{Program: b.parts["code"]}); r.OK {
				t.Errorf("%s:%s is run now: take it off the list of what is not (%s)", b.file, b.line, b.not)
			}
			continue
		}
		r := s.Run(service.RunRequest{Program: b.parts["before"] + b.parts["code"] + b.parts["then"]})
		if !r.OK {
			t.Errorf("%s:%s: %d:%d: %s", b.file, b.line, r.Line, r.Column, r.Error.Report(r.In, 0))
			continue
		}
		if want := b.parts["prints"]; b.parts["has"] == "" && r.Output != want {
			t.Errorf("%s:%s prints\n%swant\n%s", b.file, b.line, r.Output, want)
		}
		for want := range strings.Lines(b.parts["has"]) {
			if !strings.Contains(r.Output, want) {
				t.Errorf("%s:%s does not print %s", b.file, b.line, want)
			}
		}
	}
	const most = 15 // how many blocks may stay without a run; the number may only fall
	if refused > most {
		t.Errorf("%d blocks are not run, at most %d were", refused, most)
	}
}

// TestNotebookValues checks that the notebook's cells print each value listed for it in
// conformance/seed_cases.json.
func TestNotebookValues(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../conformance/seed_cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		File string `json:"seed_file"`
		Line int    `json:"line"`
		True string `json:"true_output"`
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, b := range seedBlocks(t) {
		if b.file == "002.txt" {
			all.WriteString(new(service.Session).Run(service.RunRequest{Program: b.parts["code"]}).Output)
		}
	}
	seen := 0
	for _, c := range cases {
		if !strings.HasPrefix(c.File, "002") || !strings.Contains(c.True, ":") || strings.ContainsAny(c.True, " ;") {
			continue
		}
		seen++
		if !strings.Contains(all.String(), " "+c.True+"\n") {
			t.Errorf("line %d: no cell prints %s", c.Line, c.True)
		}
	}
	if seen < 15 {
		t.Errorf("%d values were compared", seen)
	}
}
