package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"girih/internal/check/long"
)

var update = flag.Bool("u", false, "rewrite the golden sections of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"girih": main})
}

// scripts returns the scripts of testdata, under the race detector those whose commands start goroutines of their own.
func scripts(t *testing.T) (out []string) {
	all, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range all {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !long.Raced || regexp.MustCompile(`(?m)^!? ?exec girih (mcp|repl|sim|litmus|serve)`).Match(text) {
			out = append(out, name)
		}
	}
	return out
}

// TestScripts runs the command as users do: testdata/*.txtar.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Files:         scripts(t),
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", "atexit_sleep_ms=0") // otherwise each process of a race build sleeps for a second at its end
			return nil
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status": status, "bigline": bigLine,
		},
	})
}
