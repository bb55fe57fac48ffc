package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// files contains vectors that all pass, vectors that all fail (six), and a text without vectors.
var files = map[string]string{
	"good.tsv": "op\tA\tB\tresult\n" +
		"coalesce\t(_2,_2):(_1,_2)\t\t_4:_1\n" +
		"composition\t_8:_2\t_4:_1\t_4:_2\n",
	"bad.jsonl": strings.Repeat(
		`{"op":"coalesce","args":["(2,2):(1,2)"],"cute_dsl":"4:2","exact":"4:2","cute_ok":true}`+"\n", 6),
	"notes.txt": "These are no vectors.\n",
}

func TestRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		args           string
		status         int
		stdout, stderr []string // patterns; nil expects no output
		failures       int      // failures that are printed
	}{
		{"good.tsv", 0, []string{
			`good\.tsv\n  operation +passed +failed +documented +not run\n`,
			`\n  coalesce +1 +0 +0 +0\n`, `\n  composition +1 +0 +0 +0\n`, `\n  all +2 +0 +0 +0\n`,
		}, nil, 0},
		{"good.tsv bad.jsonl", 1, []string{
			`\n  all +0 +6 +0 +0\n`, `\n    got:  4:1\n    want: 4:2\n`, `\n  and 1 more failures: --verbose prints all\n`,
		}, nil, shownFailures},
		{"bad.jsonl --verbose", 1, []string{`FAILED`}, nil, 6},
		{"-v bad.jsonl", 1, []string{`FAILED`}, nil, 6},
		{"--json good.tsv bad.jsonl", 1, []string{`^{"file":"[^"]*good\.tsv",.*"failures":\[\].*\n{"file":"`}, nil, 0},
		{"--help", 0, []string{`\n  girih-check \[flags\] FILE\.\.\.\n`}, nil, 0},
		{"", 2, nil, []string{`^girih-check: no file of vectors; `}, 0},
		{"--fast good.tsv", 2, nil, []string{`^girih-check: .*-fast`}, 0},
		{"missing.tsv", 2, nil, []string{`^girih-check: open .*missing\.tsv: `}, 0},
		{"good.tsv notes.txt", 2, nil, []string{`^girih-check: .*notes\.txt: `}, 0},
	} {
		args := strings.Fields(tt.args)
		for i, a := range args {
			if !strings.HasPrefix(a, "-") {
				args[i] = filepath.Join(dir, a)
			}
		}
		var stdout, stderr bytes.Buffer
		if status := run(args, &stdout, &stderr); status != tt.status {
			t.Errorf("girih-check %s: exit status %d, want %d", tt.args, status, tt.status)
		}
		matches(t, tt.args, stdout.String(), tt.stdout)
		matches(t, tt.args, stderr.String(), tt.stderr)
		if n := strings.Count(stdout.String(), "\n  FAILED "); n != tt.failures {
			t.Errorf("girih-check %s shows %d failures, want %d", tt.args, n, tt.failures)
		}
	}
}

func matches(t *testing.T, args, text string, patterns []string) {
	t.Helper()
	if len(patterns) == 0 && text != "" {
		t.Errorf("girih-check %s prints %q", args, text)
	}
	for _, p := range patterns {
		if !regexp.MustCompile(p).MatchString(text) {
			t.Errorf("girih-check %s prints %q, which does not match %q", args, text, p)
		}
	}
}

// full is a disk without free space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestFull: failing to write a report is an error.
func TestFull(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "good.tsv")
	if err := os.WriteFile(name, []byte(files["good.tsv"]), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{name}, {"--json", name}, {"--help"}} {
		var stderr bytes.Buffer
		if status := run(args, full{}, &stderr); status != statusFailed || !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("girih-check %q: exit status %d, %q", args, status, stderr.String())
		}
	}
}
