package main

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"girih/internal/door/cli"
	"girih/internal/door/mcp"
)

// toolsOf lists the tools that do what a command does, if no tool has the command's name. Commands without a tool are
// for people: they read files, or talk to a terminal or a browser.
var toolsOf = map[string][]string{
	"atom": {"atom", "atoms"}, "layout": {"draw"}, "swizzle": {"swizzle", "recognize", "convert"}, "mma": {"mma", "copies"},
	"compare":    {"eval"}, // equivalent(A, B); its note shows the first difference
	"completion": nil, "licenses": nil, "mcp": nil, "repl": nil, "serve": nil, "version": nil,
}

// toolNames returns the names of the tools for assistants, sorted.
func toolNames(t *testing.T) []string {
	t.Helper()
	const ask = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`
	var out, errs bytes.Buffer
	if status := (cli.App{MCP: mcp.Serve}).Main([]string{"mcp"}, strings.NewReader(ask), &out, &errs); status != 0 {
		t.Fatalf("girih mcp = %d, %s", status, errs.String())
	}
	var names []string
	for line := range strings.Lines(out.String()) {
		var m struct {
			Result struct{ Tools []struct{ Name string } }
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		for _, tool := range m.Result.Tools {
			names = append(names, tool.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Every command that answers a question is a tool for assistants too.
func TestCommandsAreTools(t *testing.T) {
	t.Parallel()
	names := toolNames(t)
	var out bytes.Buffer
	if status := (cli.App{}).Main([]string{"help"}, nil, &out, &out); status != 0 {
		t.Fatalf("girih help = %d", status)
	}
	_, list, _ := strings.Cut(out.String(), "\nCommands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	commands := regexp.MustCompile(`(?m)^  (\w+) `).FindAllStringSubmatch(list, -1)
	if len(commands) < 16 {
		t.Fatalf("found %d commands in %q", len(commands), list)
	}
	for _, m := range commands {
		want, known := toolsOf[m[1]]
		if !known {
			want = []string{m[1]}
		}
		for _, name := range want {
			if !slices.Contains(names, name) {
				t.Errorf("girih %s has no tool %s", m[1], name)
			}
		}
	}
}

// The page of the commands and the help name all tools.
func TestToolsAreListed(t *testing.T) {
	t.Parallel()
	names := toolNames(t)
	page, err := os.ReadFile("../../docs/commands.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## For AI assistants\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var listed []string
	for _, row := range regexp.MustCompile(`(?m)^\| (\w+(?:, \w+)*) \|`).FindAllStringSubmatch(section, -1) {
		if row[1] != "tools" { // the heading
			listed = append(listed, strings.Split(row[1], ", ")...)
		}
	}
	slices.Sort(listed)
	if !slices.Equal(listed, names) {
		t.Errorf("docs/commands.md lists %v, the tools are %v", listed, names)
	}
	var help bytes.Buffer
	(cli.App{MCP: mcp.Serve}).Main([]string{"mcp", "--help"}, nil, &help, &help)
	_, said, _ := strings.Cut(strings.Join(strings.Fields(help.String()), " "), "input and output: ")
	said, _, _ = strings.Cut(said, ", with the reference")
	inHelp := strings.Split(strings.ReplaceAll(said, " and ", ", "), ", ")
	slices.Sort(inHelp)
	if !slices.Equal(inHelp, names) {
		t.Errorf("girih mcp --help lists %v, the tools are %v", inHelp, names)
	}
}
