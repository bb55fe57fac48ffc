package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"girih/internal/version"
)

// This file writes the bill of materials of a binary, as CycloneDX 1.6. It is written here because it is a page of
// fields: the binary records what was linked, and the notice contains the licences. An external tool would be larger
// than girih, and would guess the licences.
type bom struct {
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	SerialNumber string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp,omitempty"` // the time of the commit, so that building again gives the same file
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version,omitempty"`
	PURL       string     `json:"purl,omitempty"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Licenses   []licence  `json:"licenses"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Alg     string `json:"alg"`
	Content string `json:"content"`
}

type licence struct {
	Expression string `json:"expression"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// bomOf returns the bill of materials of a binary, with the commit and its time if they are given. The error names a
// module that is not among the parts.
func bomOf(binary string, parts []part, commit []string) ([]byte, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(content)
	b := bom{Format: "CycloneDX", SpecVersion: "1.6", SerialNumber: serial(digest), Version: 1}
	b.Metadata.Component = component{
		Type: "application", Ref: "girih", Name: filepath.Base(binary), Version: version.Number,
		Hashes: []hash{{"SHA-256", hex.EncodeToString(digest[:])}}, Licenses: []licence{{"Apache-2.0"}},
	}
	for _, s := range info.Settings {
		if strings.HasPrefix(s.Key, "GO") || s.Key == "CGO_ENABLED" || s.Key == "-tags" {
			b.Metadata.Component.Properties = append(b.Metadata.Component.Properties, property{"go:" + s.Key, s.Value})
		}
	}
	if len(commit) == 2 {
		c := &b.Metadata.Component
		c.Properties = append(c.Properties, property{"git:commit", commit[0]})
		b.Metadata.Timestamp = commit[1]
	}
	if b.Components, err = componentsOf(binary, info, parts); err != nil {
		return nil, err
	}
	d := dependency{Ref: "girih"}
	for _, c := range b.Components {
		d.DependsOn = append(d.DependsOn, c.Ref)
	}
	b.Dependencies = []dependency{d}
	out, err := json.MarshalIndent(b, "", "  ")
	return append(out, '\n'), err
}

// componentsOf returns what is linked into a binary: modules, Go itself and, in girih, parts that are not modules.
func componentsOf(binary string, info *buildinfo.BuildInfo, parts []part) ([]component, error) {
	var all []component
	for _, m := range info.Deps {
		i := slices.IndexFunc(parts, func(p part) bool { return p.module && p.name == m.Path && p.version == m.Version })
		if i < 0 {
			return nil, fmt.Errorf("%s has %s %s, which the notice does not name: run go generate ./internal/notice", binary,
				m.Path, m.Version)
		}
		all = append(all, componentOf(parts[i]))
	}
	for _, p := range parts {
		if p.module || p.name != "Go" && strings.HasSuffix(info.Path, "/girih-gpu") { // girih-gpu has no page and no pictures
			continue
		}
		if p.name == "Go" {
			p.version = strings.TrimPrefix(info.GoVersion, "go")
		}
		all = append(all, componentOf(p))
	}
	return all, nil
}

func componentOf(p part) component {
	c := component{Type: "library", Name: p.name, Version: p.version, Licenses: []licence{{p.licence}}}
	switch {
	case p.module:
		c.PURL = "pkg:golang/" + p.name + "@" + url.PathEscape(p.version)
	case p.name == "Go":
		c.PURL = "pkg:golang/std@" + url.PathEscape(p.version)
	case p.name == "Preact":
		c.PURL = "pkg:npm/preact@" + p.version
	}
	if c.Ref = c.PURL; c.Ref == "" {
		c.Ref = strings.ReplaceAll(p.name, " ", "-")
	}
	return c
}

// serial returns a UUID of version 8, whose bits may come from a digest.
func serial(digest [sha256.Size]byte) string {
	u := digest[:16]
	u = slices.Clone(u)
	u[6] = u[6]&0x0f | 0x80
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
