package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"girih/internal/check/long"
	"girih/internal/notice"
)

// The notice contains the licences of the linked modules, and equals the notice in the repository and in the binary.
func TestNoticeIsCurrent(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("lists the packages of all platforms")
	}
	parts, err := findParts()
	if err != nil {
		t.Fatal(err)
	}
	if want := noticeText(parts); notice.Text() != want {
		t.Errorf("the notice is not current: run go generate ./internal/notice\nit has %d bytes, not %d",
			len(notice.Text()), len(want))
	}
	root, err := os.ReadFile(filepath.Join("..", "..", "..", "NOTICE"))
	if err != nil || string(root) != notice.Text() {
		t.Errorf("NOTICE at the root is not the one of the binary: %v", err)
	}
	for _, want := range []string{
		"Jason Miller", "Bitstream, Inc.", "Copyright 2009 The Go Authors", "golang.org/x/sys",
		"reeflective/readline", "mousetrap", "ebitengine/purego",
		"  Preact 11.", "Apache License",
	} {
		if !strings.Contains(notice.Text(), want) {
			t.Errorf("the notice does not have %q", want)
		}
	}
}

func TestLicenceOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                "",
		"all is reserved": "",
		"Permission is hereby granted, free of charge, to any person\nobtaining a copy of this software and": "MIT-0",
		"Redistribution and use in source and binary forms, with or without":                                 "BSD-2-Clause",
		"Apache License\n  Version 2.0, January 2004":                                                        "Apache-2.0",
	} {
		if got := licenceOf(text); got != want {
			t.Errorf("licenceOf(%q) = %q, want %q", text, got, want)
		}
	}
}

// The bill of materials of a binary lists its modules and embedded parts, and is reproducible.
func TestBOM(t *testing.T) {
	t.Parallel()
	if !long.Tests() {
		t.Skip("builds the commands, as .ci/sections/release does: GIRIH_LONG=1")
	}
	parts, err := findParts()
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string][]string{
		"girih":     {"github.com/spf13/cobra", "Go", "Preact", "DejaVu Sans Mono", "-github.com/ebitengine/purego"},
		"girih-gpu": {"github.com/ebitengine/purego", "Go", "-Preact", "-DejaVu Sans Mono", "-github.com/spf13/cobra"},
	} {
		binary := filepath.Join(t.TempDir(), command)
		if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "girih/cmd/"+
			command).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		checkBOM(t, binary, parts, want)
	}
}

// checkBOM checks that names are, or are not, among the components of a binary.
func checkBOM(t *testing.T, binary string, parts []part, want []string) {
	t.Helper()
	text, err := bomOf(binary, parts, []string{"0123abc", "2026-11-22T00:00:00Z"})
	if err != nil {
		t.Fatal(err)
	}
	again, err := bomOf(binary, parts, []string{"0123abc", "2026-11-22T00:00:00Z"})
	if err != nil || string(again) != string(text) {
		t.Errorf("the second one differs, %v", err)
	}
	var b bom
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	if b.Metadata.Timestamp != "2026-11-22T00:00:00Z" || b.Metadata.Component.Version == "" {
		t.Errorf("the binary is %+v", b.Metadata)
	}
	names := []string{}
	for _, c := range b.Components {
		names = append(names, c.Name)
		if c.Version == "" || c.Ref == "" || len(c.Licenses) != 1 || c.Licenses[0].Expression == "" {
			t.Errorf("%+v lacks something", c)
		}
	}
	for _, name := range want {
		name, absent := strings.CutPrefix(name, "-")
		if slices.Contains(names, name) == absent {
			t.Errorf("%s: %s is, or is not, among %v", binary, name, names)
		}
	}
	if _, err := bomOf(binary, nil, nil); err == nil {
		t.Error("a module without a licence is passed over")
	}
}
