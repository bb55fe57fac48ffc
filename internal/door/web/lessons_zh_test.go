package web_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A lessonText is a lesson in another language, as ui/lessons/translate.ts describes it.
type lessonText struct {
	Title string `json:"title"`
	About string `json:"about"`
	Steps []struct {
		Title string   `json:"title"`
		Text  []string `json:"text"`
		Ask   *struct {
			Say  string `json:"say"`
			Hint string `json:"hint"`
		} `json:"ask"`
		Goal string `json:"goal"`
		Go   string `json:"go"`
	} `json:"steps"`
}

// decode reads a JSON file, which has no other fields.
func decode(t *testing.T, file string, to any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// Every text of the lessons is there in Chinese, with the same claims, code and numbers.
func TestLessonsChinese(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob("ui/lessons/*.json")
	translated, _ := filepath.Glob("ui/lessons/zh/*.json")
	if len(files) != len(translated) {
		t.Errorf("%d lessons have %d translations", len(files), len(translated))
	}
	for i, l := range lessons(t) {
		t.Run(l.ID, func(t *testing.T) {
			t.Parallel()
			var zh lessonText
			decode(t, filepath.Join("ui/lessons/zh", filepath.Base(files[i])), &zh)
			same(t, "the title", l.Title, zh.Title, false)
			same(t, "the sentence", l.About, zh.About, true)
			if len(l.Steps) != len(zh.Steps) {
				t.Fatalf("expected %d steps, found %d", len(l.Steps), len(zh.Steps))
			}
			for k, s := range l.Steps {
				z := zh.Steps[k]
				step := fmt.Sprintf("step %d: ", k+1)
				same(t, step+"the title", s.Title, z.Title, false)
				if len(s.Text) != len(z.Text) {
					t.Fatalf("%sexpected %d paragraphs, found %d", step, len(s.Text), len(z.Text))
				}
				for j := range s.Text {
					paragraph(t, fmt.Sprintf("%sparagraph %d", step, j+1), s.Text[j], z.Text[j])
				}
				if (s.Ask == nil) != (z.Ask == nil) || (s.Goal == nil) != (z.Goal == "") || (s.Go == nil) != (z.Go == "") {
					t.Fatalf("%sone language has a question, a goal or a link that the other does not have", step)
				}
				if s.Ask != nil {
					same(t, step+"the question", s.Ask.Say, z.Ask.Say, true)
					same(t, step+"the hint", s.Ask.Hint, z.Ask.Hint, true)
				}
				if s.Goal != nil {
					same(t, step+"the goal", s.Goal.Say, z.Goal, true)
				}
			}
		})
	}
}

var (
	reference = regexp.MustCompile(`\{\{(\d+)\}\}`)
	code      = regexp.MustCompile("`[^`]+`")
	emphasis  = regexp.MustCompile(`\*[^*]+\*`)
	chinese   = regexp.MustCompile(`\p{Han}`)
	phrase    = regexp.MustCompile(`[a-z]{3} [a-z]`)
)

// paragraph compares a paragraph with its translation, which refers to each claim once.
func paragraph(t *testing.T, what, en, zh string) {
	t.Helper()
	var want, got []string
	for i := range claims(t, en) {
		want = append(want, fmt.Sprint(i))
	}
	for _, m := range reference.FindAllStringSubmatch(zh, -1) {
		got = append(got, m[1])
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		t.Errorf("%s: English has the claims %v, Chinese refers to %v", what, want, got)
	}
	prose := en
	for _, m := range braces(en) {
		prose = strings.Replace(prose, en[m[0]:m[1]], "", 1)
	}
	rest := reference.ReplaceAllString(zh, "")
	if a, b := set(code.FindAllString(prose, -1)), set(code.FindAllString(rest, -1)); !slices.Equal(a, b) {
		t.Errorf("%s: English has the code %v, Chinese %v", what, a, b)
	}
	terms := func(text string) int { return len(emphasis.FindAllString(code.ReplaceAllString(text, ""), -1)) }
	if a, b := terms(prose), terms(rest); a != b {
		t.Errorf("%s: English emphasizes %d terms, Chinese %d", what, a, b)
	}
	if strings.Contains(rest, "{{") {
		t.Errorf("%s: a claim is not a reference: %s", what, zh)
	}
	same(t, what, prose, rest, strings.Trim(rest, " 。：，") != "")
}

// same compares the numbers of two texts. If prose, the second has Chinese characters.
func same(t *testing.T, what, en, zh string, prose bool) {
	t.Helper()
	a, b := set(number.FindAllString(en, -1)), set(number.FindAllString(zh, -1))
	if !slices.Equal(a, b) {
		t.Errorf("%s: English has the numbers %v, Chinese %v: %s", what, a, b, zh)
	}
	if (en == "") != (zh == "") || prose && phrase.MatchString(en) && !chinese.MatchString(zh) {
		t.Errorf("%s is not translated: %q", what, zh)
	}
}

// set returns the texts, sorted, each once.
func set(texts []string) []string {
	s := slices.Sorted(slices.Values(texts))
	return slices.Compact(s)
}

// The words around the lessons are there in both languages, with the same places for values.
func TestWords(t *testing.T) {
	t.Parallel()
	var en, zh map[string]string
	decode(t, "ui/lang/en.json", &en)
	decode(t, "ui/lang/zh.json", &zh)
	if a, b := slices.Sorted(maps.Keys(en)), slices.Sorted(maps.Keys(zh)); !slices.Equal(a, b) {
		t.Errorf("English has the words %v, Chinese %v", a, b)
	}
	places := regexp.MustCompile(`\{\d\}`)
	for key, text := range en {
		a, b := set(places.FindAllString(text, -1)), set(places.FindAllString(zh[key], -1))
		if text == "" || zh[key] == "" || !slices.Equal(a, b) {
			t.Errorf("%s is %q in English and %q in Chinese", key, text, zh[key])
		}
	}
}
