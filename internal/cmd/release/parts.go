package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A part is third-party material in the binaries.
type part struct {
	name    string // the path, if it is a module
	version string // "" if the release of Go decides
	licence string // an SPDX expression
	use     string // a description, unless it is a module
	module  bool
	texts   []string // the texts of its licence files
}

// targets are the platforms of a release; the last contains the engine of the page.
var targets = []struct{ goos, goarch, pkg string }{
	{"linux", "amd64", "girih/cmd/girih"},
	{"linux", "arm64", "girih/cmd/girih"},
	{"darwin", "arm64", "girih/cmd/girih"},
	{"windows", "amd64", "girih/cmd/girih"},
	{"linux", "amd64", "girih/cmd/girih-gpu"},
	{"windows", "amd64", "girih/cmd/girih-gpu"},
	{"js", "wasm", "girih/cmd/girih-wasm"},
}

// findParts returns the parts by name, modules first. The error names a part without a known licence.
func findParts() ([]part, error) {
	root, err := goOutput("", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return nil, err
	}
	root = strings.TrimSpace(root)
	parts, err := modules()
	if err != nil {
		return nil, err
	}
	goroot, err := goOutput("", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	vendor := filepath.Join(root, "internal", "door", "web", "ui", "vendor")
	preact, err := vendoredVersion(filepath.Join(vendor, "preact.mjs"))
	if err != nil {
		return nil, err
	}
	for _, p := range []struct {
		part
		file string
	}{
		{part{name: "Go", use: "the standard library, and wasm_exec.js of pages without a server"}, filepath.Join(strings.TrimSpace(goroot), "LICENSE")},
		{part{name: "Preact", version: preact, use: "the library of the page"}, filepath.Join(vendor, "LICENSE.preact")},
		{part{name: "DejaVu Sans Mono", version: "2.37", licence: "Bitstream-Vera", use: "the font of PNG pictures"}, filepath.Join(root, "internal", "picture", "png", "font", "LICENSE")},
	} {
		text, err := os.ReadFile(p.file)
		if err != nil {
			return nil, err
		}
		p.texts = []string{tidy(string(text))}
		parts = append(parts, p.part)
	}
	for i, p := range parts {
		if p.licence == "" {
			parts[i].licence = licenceOf(strings.Join(p.texts, "\n"))
		}
		if parts[i].licence == "" {
			return nil, fmt.Errorf("%s has no licence that is known", p.name)
		}
	}
	return parts, nil
}

// modules returns the modules whose packages are linked on some platform.
func modules() ([]part, error) {
	const format = "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}\t{{.Dir}}"
	found := map[string]part{}
	files := map[string]map[string]bool{} // licence files of each module
	for _, t := range targets {
		out, err := goOutput(t.goos+"/"+t.goarch, "list", "-deps", "-f", format, t.pkg)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(out) {
			f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if len(f) != 4 { // the package belongs to the standard library or to girih
				continue
			}
			path, version, top, dir := f[0], f[1], f[2], f[3]
			found[path] = part{name: path, version: version, module: true}
			if files[path] == nil {
				files[path] = map[string]bool{}
			}
			for ; strings.HasPrefix(dir, top); dir = filepath.Dir(dir) {
				if err := licenceFiles(dir, files[path]); err != nil {
					return nil, err
				}
			}
		}
	}
	var list []part
	for path, p := range found {
		names := []string{}
		for name := range files[path] {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			p.texts = append(p.texts, tidy(string(text)))
		}
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b part) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)([.-].*)?$`)

// licenceFiles adds the licence files of a folder to a set.
func licenceFiles(dir string, to map[string]bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Type().IsRegular() && licenceName.MatchString(e.Name()) && filepath.Ext(e.Name()) != ".go" {
			to[filepath.Join(dir, e.Name())] = true
		}
	}
	return nil
}

// licenceOf returns the SPDX expression of the known licences that a text contains in full, or "".
func licenceOf(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	has := func(phrase string) bool { return strings.Contains(text, phrase) }
	var list []string
	if has("Apache License Version 2.0, January 2004") {
		list = append(list, "Apache-2.0")
	}
	if has("Redistribution and use in source and binary forms") {
		if has("be used to endorse or promote products derived from this software") {
			list = append(list, "BSD-3-Clause")
		} else {
			list = append(list, "BSD-2-Clause")
		}
	}
	if has("Permission is hereby granted, free of charge, to any person obtaining a copy of this software") {
		if has("shall be included in all copies or substantial portions") {
			list = append(list, "MIT")
		} else {
			list = append(list, "MIT-0")
		}
	}
	return strings.Join(list, " AND ")
}

var vendored = regexp.MustCompile(`^/\*! Preact (\d+\.\d+\.\d+)\b`)

// vendoredVersion returns the version in the first line of a Preact file.
func vendoredVersion(name string) (string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	m := vendored.FindSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("%s does not name its version", name)
	}
	return string(m[1]), nil
}

// tidy returns a text with the line endings of this repository.
func tidy(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		b.WriteString(strings.TrimRight(line, " \t\n") + "\n")
	}
	return strings.Trim(b.String(), "\n") + "\n"
}

// goOutput runs the go command, for a platform unless that is empty.
func goOutput(platform string, args ...string) (string, error) {
	c := exec.Command("go", args...)
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if goos, goarch, ok := strings.Cut(platform, "/"); ok {
		c.Env = append(c.Env, "GOOS="+goos, "GOARCH="+goarch)
	}
	out, err := c.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return "", fmt.Errorf("go %s: %w: %s", args[0], err, exit.Stderr)
	}
	return string(out), err
}
