//go:build !js

package glossary

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// read decodes a file of the package.
func read(t *testing.T, name string, to any) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// The packed table has what the files have: go generate ./internal/glossary packs them.
func TestPacked(t *testing.T) {
	t.Parallel()
	var terms []Term
	read(t, "terms.json", &terms)
	if len(terms) != len(Names()) || len(terms) < 80 {
		t.Errorf("terms.json has %d terms, the packed table %d: go generate ./internal/glossary", len(terms), len(Names()))
	}
	for _, l := range Languages {
		texts := map[string]string{}
		read(t, string(l)+".json", &texts)
		if len(texts) != len(columns()[names]) {
			t.Errorf("%s.json has %d texts, the packed table %d", l, len(texts), len(columns()[names]))
		}
		for name, text := range texts {
			if got := Text(name, l); got != text || text == "" {
				t.Errorf("%s in %s is %q, packed is %q: go generate ./internal/glossary", name, l, text, got)
			}
		}
		for _, want := range terms {
			got := Find(want.Name, l)
			want.Meaning, want.Language = texts[want.Name], l
			if a, b := marshal(t, got), marshal(t, want); a != b {
				t.Errorf("terms.json has %s, packed is %s: go generate ./internal/glossary", b, a)
			}
		}
	}
}

func marshal(t *testing.T, x any) string {
	t.Helper()
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Terms have unique names and related terms that exist.
func TestTerms(t *testing.T) {
	t.Parallel()
	owners := map[string]string{}
	for _, name := range Names() {
		x := Find(name, English)
		for _, n := range append([]string{x.Name}, x.Also...) {
			if was, ok := owners[plain(n)]; ok && was != x.Name {
				t.Errorf("%s is a name of %s and of %s", n, was, x.Name)
			}
			owners[plain(n)] = x.Name
			if got := Find(strings.ToUpper(n), English); got == nil || got.Name != x.Name {
				t.Errorf("Find(%s) = %+v, want %s", n, got, x.Name)
			}
		}
		if x.Example == "" || x.Value == "" || len(x.See) == 0 {
			t.Errorf("%s has no example, value or related term", x.Name)
		}
		for _, s := range x.See {
			if !slices.Contains(Names(), s) || s == x.Name {
				t.Errorf("%s leads to %s, which is not another term", x.Name, s)
			}
		}
	}
	if !slices.IsSortedFunc(Names(), func(a, b string) int { return strings.Compare(plain(a), plain(b)) }) {
		t.Error("the terms are not sorted")
	}
	for _, name := range []string{"", "_", "@see", "quadpear", ";"} {
		if x := Find(name, English); x != nil {
			t.Errorf("Find(%q) = %+v, want none", name, x)
		}
	}
}

var (
	digits = regexp.MustCompile(`\d+`)
	han    = regexp.MustCompile(`\p{Han}`)
)

// The meanings are sentences, and their numbers agree in all languages.
func TestMeanings(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		en, zh := Text(name, English), Text(name, Chinese)
		if !strings.HasSuffix(en, ".") || !strings.HasSuffix(zh, "。") || !han.MatchString(zh) {
			t.Errorf("%s: expected sentences, found %q and %q", name, en, zh)
		}
		if a, b := numbers(en), numbers(zh); !slices.Equal(a, b) {
			t.Errorf("%s: English has the numbers %v, Chinese %v", name, a, b)
		}
	}
}

// numbers returns the numbers of a text, sorted, each once.
func numbers(text string) []string {
	all := digits.FindAllString(text, -1)
	slices.Sort(all)
	return slices.Compact(all)
}

func TestParseLanguage(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]Language{"": English, "en": English, "ZH": Chinese} {
		if l, err := ParseLanguage(code); err != nil || l != want {
			t.Errorf("ParseLanguage(%q) = %s, %v, want %s", code, l, err, want)
		}
	}
	if _, err := ParseLanguage("fr"); err == nil {
		t.Error("ParseLanguage(fr) gives no error")
	}
}
