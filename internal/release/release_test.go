package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"girih/internal/notice"
)

// The notice has the licences of what is linked now, and is what the repository and the binary show.
func TestNoticeIsCurrent(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("lists the packages of all platforms")
	}
	parts, err := findParts()
	if err != nil {
		t.Fatal(err)
	}
	if want := noticeText(parts); notice.Text != want {
		t.Errorf("the notice is not current: run go generate ./internal/notice\nit has %d bytes, not %d", len(notice.Text), len(want))
	}
	root, err := os.ReadFile(filepath.Join("..", "..", "NOTICE"))
	if err != nil || string(root) != notice.Text {
		t.Errorf("NOTICE at the root is not the one of the binary: %v", err)
	}
	for _, want := range []string{
		"Jason Miller", "Bitstream, Inc.", "Copyright 2009 The Go Authors", "golang.org/x/sys",
		"modelcontextprotocol/go-sdk", "mousetrap",
		"  Preact 11.", "Apache License",
	} {
		if !strings.Contains(notice.Text, want) {
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

// The bill of materials of this test's binary has its modules, and is the same each time.
func TestBOM(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("lists the packages of all platforms")
	}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parts, err := findParts()
	if err != nil {
		t.Fatal(err)
	}
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
	for _, want := range []string{"golang.org/x/image", "Go", "Preact", "DejaVu Sans Mono"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is not among %v", want, names)
		}
	}
	if _, err := bomOf(binary, nil, nil); err == nil {
		t.Error("a module without a licence is passed over")
	}
}
