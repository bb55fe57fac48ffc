package cli

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"girih/internal/finding"
	"girih/internal/service"
)

// This file reads girih.toml: settings of girih check, and layouts with their assertions.

// checkSettings is what girih.toml has.
type checkSettings struct {
	Exclude  []string        `toml:"exclude"`  // patterns of paths that are not looked at
	Ignore   []string        `toml:"ignore"`   // rules, or RULE:LINE, that are not reported
	Baseline string          `toml:"baseline"` // the file of --baseline
	Layouts  []settledLayout `toml:"layout"`
}

// A settledLayout is a layout with its assertions.
type settledLayout struct {
	Name   string   `toml:"name"`
	Layout string   `toml:"layout"`
	Assert []string `toml:"assert"`
}

// settingsFile is the name of the file of settings.
const settingsFile = "girih.toml"

// Limits of a girih.toml, in bytes and in brackets and dots before one another. What reads TOML needs memory with the
// square of the depth, and has no limit of its own.
const (
	maxSettings = 256 << 10
	maxNested   = 100
)

// depthOf returns how deep the brackets of a text are, or its names with dots.
func depthOf(text string) (most int) {
	open, dots := 0, 0
	for _, r := range text {
		switch r {
		case '[', '{':
			open++
		case ']', '}':
			open--
		case '.':
			dots++
		case '\n', '=', ',':
			dots = 0
		}
		most = max(most, open, dots)
	}
	return most
}

// readSettings reads the settings with that name, or girih.toml of the current folder if there is one.
func readSettings(name string) (*checkSettings, error) {
	from, read := name, readUpTo // the user may name a pipe
	if name == "" {
		from, read = settingsFile, readRegular
	}
	text, err := read(from, maxSettings)
	if name == "" && os.IsNotExist(err) {
		return new(checkSettings), nil
	}
	if err != nil {
		return nil, err
	}
	s, err := parseSettings(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	return s, nil
}

// parseSettings reads TOML. A key that is not known is an error: it would have no effect.
func parseSettings(text string) (*checkSettings, error) {
	if n := depthOf(text); len(text) > maxSettings || n > maxNested {
		return nil, fmt.Errorf("expected settings of at most %d bytes that are at most %d deep, found %d bytes that are %d deep",
			maxSettings, maxNested, len(text), n)
	}
	s := new(checkSettings)
	meta, err := toml.Decode(text, s)
	if e, ok := err.(toml.ParseError); ok {
		return nil, fmt.Errorf("line %d: %s", e.Position.Line, e.Message)
	}
	if err != nil {
		return nil, err
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("expected the keys exclude, ignore, baseline and [[layout]] with name, layout and assert; found %q",
			unknown[0].String())
	}
	for i, l := range s.Layouts {
		if l.Layout == "" || len(l.Assert) == 0 {
			return nil, fmt.Errorf("expected a layout and what to assert in each [[layout]], found none in [[layout]] %d", i+1)
		}
	}
	return s, nil
}

// check refuses rules and patterns that match nothing.
func (s *checkSettings) check() error {
	rules := service.FindingRules()
	for _, list := range s.Ignore {
		for x := range strings.SplitSeq(list, ",") {
			name, _, _ := strings.Cut(strings.TrimSpace(x), ":")
			if !slices.ContainsFunc(rules, func(r finding.Rule) bool { return r.Name == name }) {
				var names []string
				for _, r := range rules {
					names = append(names, r.Name)
				}
				return fmt.Errorf("expected a rule to ignore, one of %s; found %q", strings.Join(names, ", "), name)
			}
		}
	}
	for _, p := range s.Exclude {
		if _, err := path.Match(strings.ReplaceAll(p, "**", "*"), ""); err != nil {
			return fmt.Errorf("expected a pattern such as third_party/**, found %q", p)
		}
	}
	return nil
}

// ignores reports whether a finding is not to be reported.
func (s *checkSettings) ignores(f finding.Finding) bool {
	for _, list := range s.Ignore {
		for x := range strings.SplitSeq(list, ",") {
			rule, line, at := strings.Cut(strings.TrimSpace(x), ":")
			if rule == f.Rule && (!at || line == fmt.Sprint(f.Line)) {
				return true
			}
		}
	}
	return false
}

// excludes reports whether a path, with slashes, is not to be looked at.
func (s *checkSettings) excludes(name string) bool {
	for _, p := range s.Exclude {
		if matches(strings.TrimSuffix(p, "/"), name) {
			return true
		}
	}
	return false
}

// matches reports whether a pattern matches a path or a folder above it. ** is any number of folders.
func matches(pattern, name string) bool {
	ps, ns := strings.Split(pattern, "/"), strings.Split(filepath.ToSlash(name), "/")
	return matchParts(ps, ns) || !strings.Contains(pattern, "/") && slices.ContainsFunc(ns, func(n string) bool {
		ok, _ := path.Match(pattern, n)
		return ok
	})
}

// matchParts reports whether the parts of a pattern match the first parts of a path. Its time is their product.
func matchParts(ps, ns []string) bool {
	at := make([]bool, len(ns)+1) // by the number of parts of the path that the pattern so far matches
	at[0] = true
	for _, p := range ps {
		next := make([]bool, len(ns)+1)
		for i := range at {
			switch {
			case p == "**":
				next[i] = at[i] || i > 0 && next[i-1]
			case i > 0 && at[i-1]:
				next[i], _ = path.Match(p, ns[i-1])
			}
		}
		at = next
	}
	return slices.Contains(at, true)
}

// examineSettings evaluates the assertions of a girih.toml.
func examineSettings(s *service.Session, name, text string) service.Examination {
	at := finding.Place{Path: name, Line: 1}
	settings, err := parseSettings(text)
	if err != nil {
		return service.Examination{Findings: []finding.Finding{{
			Place: at, Rule: "unread", Severity: finding.Error, Message: err.Error(),
		}}}
	}
	var all service.Examination
	lines := strings.Split(text, "\n")
	from := 0
	for i, l := range settings.Layouts {
		for from < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[from]), "[[layout]]") {
			from++
		}
		from++
		for _, words := range l.Assert {
			at.Line = min(from, len(lines))
			for k := from; k < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[k]), "[["); k++ {
				if strings.Contains(lines[k], words) {
					at.Line = k + 1
					break
				}
			}
			label := l.Name
			if label == "" {
				label = fmt.Sprintf("layout %d", i+1)
			}
			x := s.ExamineAssertion(service.AssertionAt{
				Place: at, Text: strings.TrimSpace(lines[at.Line-1]), Name: label + " " + words, Layout: l.Layout, Words: words,
			})
			all.Findings = append(all.Findings, x.Findings...)
			all.Values = append(all.Values, x.Values...)
		}
	}
	return all
}
