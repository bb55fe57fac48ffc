package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// This file counts turns of phrase that make a reader read a sentence twice, in comments, in texts that users see and
// in the documentation. It also counts functions whose names hide what they do. The numbers are columns of limits.txt.

// A turn is a pattern of English that is hard to read, with a text that matches the pattern and a better text.
type turn struct {
	needle      string // every match contains it; searching for it first is 20 times as fast
	pattern     string
	bad, better string
}

var turns = []turn{
	{" of", `\b(that|those) of\b`, "those of the tile", "the strides of the tile"},
	{"the one", `\bthe ones? (that|of|which|with|who|in|at|it|to)\b`, "the one with no name", "the field without a name"},
	{"st", `\bst(and|ands|ood) (in|at|behind|on|beside|under|where|there|for|before|after|by|alone|above|below|between|as)\b`, "the name stands in the row", "the row has the name"},
	{"none", `\b(that|which|who|it|one|they|them|this|what) (is|are|was|were) none\b`, "refuses one that is none", "refuses if there is none"},
	{"behind", `\bbehind\b`, "the byte behind it", "the byte after it"},
	{"of which", `\bof which\b`, "two texts, of which one is empty", "two texts, one of them empty"},
	{"so many", `\bso many\b`, "so many bytes", "exactly n bytes"},
	{"down", `\b(takes?|taken|took|taking) down\b`, "takes down the step", "records the step"},
	{"nobody", `\bnobody (has|had|can|needs)\b`, "nobody has it", "there is no such value"},
	{" not", `\b(has|have|had) not(?: the| a| an|[.,;:)]|$)`, "which F2 strides have not", "which F2 strides cannot have"},
	{"ackage", `\b[Pp]ackage \w+ has\b`, "Package ptx has PTX", "Package ptx parses and prints PTX"},
	{"beside", `\bbeside\b`, "beside the notes", "in addition to the notes"},
	{"l", `\b(lies?|lay|lying) (in|on|at|behind|under|beyond|between|before|beside|there|outside|inside|within|above|below)\b`, "the tile lies in shared memory", "the tile is in shared memory"},
	{"s", `\b(rests? on|heeds?)\b`, "what the rules rest on", "the evidence for the rules"},
	{"ho ", `(?:^|[.;:] )[Ww]ho [a-hj-z]\w*s\b`, "Who waits for it knows", "A thread that waits for it knows"},
	{"What ", `(?:^|\. )What (has|is|does|comes|can|was|stands|lies|must|may|cannot|follows|takes|needs)\b[^?]*$`, "What has an error has no relation", "A failed operation has no relation"},
	{"front", `\bin front of\b`, "the sign in front of it", "the sign before it"},
	{"", `(?:^|[.;] )(?:Read|Known|Given|Shown|Told|Made|Meant|Kept|Found|[A-Z][a-z]+ed) (are|is|was|were)\b`, "Read are the errors of nvcc", "Reads the errors of nvcc"},
	{"", `\b(which of them|what it takes|of (it|them) that)\b`, "which of them are there", "the operands that are present"},
	{"none", `\b(has|have) none\b`, "the others have none", "the others have no witness"},
	{"other", `\bother one than\b|\bother ones than\b|\banother \w+ than\b`, "another one than girih's", "different from girih's"},
	{"way", `\bin (each other|one another|the|its|their)('s)? way\b`, "in each other's way", "conflict with each other"},
	{"what ", `\b(of|in|on|by|to|from|than|for|with|at) what (is|are|was|has|have|does|it|they|a|an|the|one)\b`, "than what it had", "than its previous value"},
	{"told", `\b(is|are) told\b`, "that the kernel is told", "that the kernel receives"},
}

// hardTurn returns the words of text that are one of the turns, or "".
func hardTurn(text string) string {
	for i, t := range turns {
		if strings.Contains(text, t.needle) {
			if m := turnPatterns[i].FindString(text); m != "" {
				return m
			}
		}
	}
	return ""
}

var turnPatterns = func() []*regexp.Regexp {
	all := make([]*regexp.Regexp, len(turns))
	for i, t := range turns {
		all[i] = regexp.MustCompile(t.pattern)
	}
	return all
}()

func TestTurns(t *testing.T) {
	t.Parallel()
	for i, tt := range turns {
		if !turnPatterns[i].MatchString(tt.bad) {
			t.Errorf("%q does not match its example %q", tt.pattern, tt.bad)
		}
		if m := hardTurn(tt.better); m != "" {
			t.Errorf("%q is no better: it has %q", tt.better, m)
		}
	}
}

// countWords counts comments, texts and lines of documentation with one of the turns, and functions named by a bare
// participle: merged(x) does not say whether it asks, acts or returns.
func countWords(t *testing.T, found tally) {
	t.Helper()
	for _, f := range goFiles(t) {
		if f.generated || strings.HasPrefix(f.path, "internal/check/archtest/") {
			continue
		}
		set := token.NewFileSet()
		name := filepath.Join(moduleRoot(t), filepath.FromSlash(f.path))
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		dir := path.Dir(f.path)
		test := strings.HasSuffix(f.path, "_test.go")
		for _, group := range file.Comments {
			for _, c := range group.List {
				if m := hardTurn(strings.TrimSpace(strings.TrimPrefix(c.Text, "//"))); m != "" {
					found.add(dir, comments, set.Position(c.Pos()).String()+": "+m)
				}
			}
		}
		if test {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if isParticiple(n.Name.Name) {
					found.add(dir, participles, f.path+": "+n.Name.Name)
				}
			case *ast.BasicLit:
				text, err := strconv.Unquote(n.Value)
				if n.Kind != token.STRING || err != nil || strings.Count(text, " ") < 3 {
					break
				}
				if m := hardTurn(text); m != "" {
					found.add(dir, texts, set.Position(n.Pos()).String()+": "+m)
				}
			}
			return true
		})
	}
	for _, name := range documents(t) {
		src, err := os.ReadFile(filepath.Join(moduleRoot(t), filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(src)) {
			if m := hardTurn(strings.TrimSpace(line)); m != "" {
				found.add(name, texts, m)
			}
		}
	}
}

// documents returns the Markdown files that people read.
func documents(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "conformance/*.md"} {
		names, err := filepath.Glob(filepath.Join(moduleRoot(t), filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			rel, err := filepath.Rel(moduleRoot(t), name)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, filepath.ToSlash(rel))
		}
	}
	return all
}

// isParticiple reports whether a name is one word that is a participle: merged, but neither mergedModes nor seed.
func isParticiple(name string) bool {
	if strings.IndexFunc(name[1:], unicode.IsUpper) >= 0 {
		return false
	}
	name = strings.ToLower(name)
	switch name {
	case "need", "feed", "seed", "speed", "exceed", "proceed", "succeed", "embed", "shed", "red":
		return false
	case "made", "known", "told", "taken", "shown", "drawn", "written", "kept", "held", "given", "meant", "met", "seen",
		"done", "gone", "found", "bound", "laid", "said", "thought", "chosen", "begun", "torn", "sought", "lent", "sent",
		"hidden", "spelt", "understood":
		return true
	}
	return strings.HasSuffix(name, "ed") && len(name) > 3
}

func TestIsParticiple(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"merged": true, "Asked": true, "known": true, "mergedModes": false, "isMerged": false, "merge": false, "seed": false,
		"Speed": false, "owed": true, "settled": true, "x": false,
	} {
		if isParticiple(name) != want {
			t.Errorf("isParticiple(%q) = %t", name, !want)
		}
	}
}
