package main

import (
	"fmt"
	"slices"
	"strings"
)

// noticeText returns the parts as a table, then each licence text once, with the parts under it.
func noticeText(parts []part) string {
	var b strings.Builder
	b.WriteString(`girih
Copyright 2026 The girih Authors

girih is licensed under the Apache License, Version 2.0: see LICENSE, or
http://www.apache.org/licenses/LICENSE-2.0

The binaries and the page have in them what others have made. The texts of its
licences follow the list.

`)
	width, licences := 0, 0
	for _, p := range parts {
		width = max(width, len(p.title()))
		licences = max(licences, len(p.licence))
	}
	for _, p := range parts {
		line := fmt.Sprintf("  %-*s  %-*s  %s", width, p.title(), licences, p.licence, p.use)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	type group struct {
		text  string
		names []string
	}
	var groups []group
	for _, p := range parts {
		for _, text := range p.texts {
			i := slices.IndexFunc(groups, func(g group) bool { return g.text == text })
			if i < 0 {
				i = len(groups)
				groups = append(groups, group{text: text})
			}
			groups[i].names = append(groups[i].names, p.name)
		}
	}
	for _, g := range groups {
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s", strings.Repeat("-", 80), strings.Join(g.names, "\n"), g.text)
	}
	return b.String()
}

// title returns the name with the version.
func (p part) title() string { return strings.TrimSpace(p.name + " " + p.version) }
