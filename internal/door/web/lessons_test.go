package web_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"girih/internal/service"
)

// A lesson is the data of one guided lesson, as ui/lessons/model.ts describes it.
type lesson struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	About string `json:"about"`
	Steps []step `json:"steps"`
}

type step struct {
	Title   string      `json:"title"`
	Text    []string    `json:"text"`
	Let     [][2]string `json:"let"`
	Show    string      `json:"show"`
	Type    string      `json:"type"`
	Tile    string      `json:"tile"`
	By      string      `json:"by"`
	Views   []string    `json:"views"`
	Refused bool        `json:"refused"`
	Op      *struct {
		Name, A, B string
	} `json:"op"`
	Bank *struct {
		Access  string `json:"access"`
		Threads string `json:"threads"`
		Solve   bool   `json:"solve"`
	} `json:"bank"`
	Run *struct {
		MMA   string `json:"mma"`
		A     string `json:"a"`
		B     string `json:"b"`
		Wrong bool   `json:"wrong"`
	} `json:"run"`
	Ask *struct {
		Say, Expr, Hint string
	} `json:"ask"`
	Goal *struct {
		Say, Expr string
		Solve     [][2]string
	} `json:"goal"`
	Go *struct {
		Page, Say string
		Params    map[string]string
	} `json:"go"`
}

// program returns the bindings of the step, and then the expression.
func (s step) program(expr string) string {
	var b strings.Builder
	for _, l := range s.Let {
		fmt.Fprintf(&b, "let %s = %s; ", l[0], l[1])
	}
	return b.String() + expr
}

// shown returns the program whose value the views of the step show.
func (s step) shown() string {
	last := s.Let[len(s.Let)-1][0]
	switch {
	case s.Show != "":
		last = s.Show
	case s.Op != nil && s.Op.B != "":
		last = fmt.Sprintf("%s(%s, %s)", s.Op.Name, s.Op.A, s.Op.B)
	case s.Op != nil:
		last = fmt.Sprintf("%s(%s)", s.Op.Name, s.Op.A)
	}
	return s.program(last)
}

// do carries out an operation of the service and decodes its response.
func do[R any](t *testing.T, op string, request map[string]any) R {
	t.Helper()
	body, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	var r R
	if err := json.Unmarshal(new(service.Session).Do(op, body), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func value(t *testing.T, program string) string {
	t.Helper()
	r := do[service.EvalResponse](t, "eval", map[string]any{"expr": program})
	if !r.OK {
		t.Errorf("%s: %s", program, r.Error.Message)
		return ""
	}
	return r.Value
}

// TestLessons runs every expression of the lessons and checks every number that their texts claim.
func TestLessons(t *testing.T) {
	t.Parallel()
	for _, l := range lessons(t) {
		t.Run(l.ID, func(t *testing.T) {
			t.Parallel()
			if l.Title == "" || l.About == "" || len(l.Steps) < 3 {
				t.Errorf("expected a title, a sentence and 3 steps, found %q, %q and %d", l.Title, l.About, len(l.Steps))
			}
			for k, s := range l.Steps {
				t.Run(fmt.Sprint(k), func(t *testing.T) { check(t, s) })
			}
		})
	}
}

// lessons reads the lessons, in the order of their files.
func lessons(t *testing.T) []lesson {
	t.Helper()
	files, err := filepath.Glob("ui/lessons/*.json")
	if err != nil || len(files) < 11 {
		t.Fatalf("expected 11 lessons or more, found %v (%v)", files, err)
	}
	list, err := os.ReadFile("ui/lessons/model.ts")
	if err != nil {
		t.Fatal(err)
	}
	var out []lesson
	for _, f := range files {
		if !strings.Contains(string(list), `"./`+filepath.Base(f)+`"`) {
			t.Errorf("%s is not among the lessons of model.ts", f)
		}
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		d := json.NewDecoder(strings.NewReader(string(data)))
		d.DisallowUnknownFields()
		var l lesson
		if err := d.Decode(&l); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		out = append(out, l)
	}
	return out
}

func check(t *testing.T, s step) {
	if s.Title == "" || len(s.Text) == 0 || len(s.Let) == 0 {
		t.Fatalf("expected a title, a text and bindings, found %+v", s)
	}
	for _, x := range s.Text {
		for _, c := range claims(t, x) {
			if strings.HasPrefix(c.expr, "@") {
				counted(t, s, c)
			} else if got := value(t, s.program(c.expr)); got != c.value {
				t.Errorf("the text says that %s is %s, it is %s", c.expr, c.value, got)
			}
		}
		loose(t, s, x)
		terms(t, x)
	}
	if s.Type == "" {
		s.Type = "f32"
	}
	r := do[service.InspectResponse](t, "inspect", map[string]any{"expr": s.shown(), "type": s.Type, "tile": s.Tile})
	if r.OK == s.Refused {
		t.Errorf("%s: expected refused to be %t, found %+v", s.shown(), s.Refused, r.Error)
	}
	if s.Run != nil {
		runs(t, s)
	}
	if s.Ask != nil && value(t, s.program(s.Ask.Expr)) == "" {
		t.Errorf("the question %q has no answer", s.Ask.Say)
	}
	if s.Goal != nil {
		if r := do[service.EvalResponse](t, "eval", map[string]any{"expr": s.program(s.Goal.Expr)}); r.OK && r.Value == "true" {
			t.Errorf("the goal %q is reached before anything is done", s.Goal.Say)
		}
		solved := s
		solved.Let = append([][2]string{}, s.Let...)
		for k, l := range solved.Let {
			for _, x := range s.Goal.Solve {
				if x[0] == l[0] {
					solved.Let[k] = x
				}
			}
		}
		if got := value(t, solved.program(s.Goal.Expr)); got != "true" {
			t.Errorf("the goal %q is not reached by its solution: %s", s.Goal.Say, got)
		}
	}
}

// runs checks that the gemm of a step can be executed: the tiles of shared memory have the rows of the TiledMMA, whole
// blocks of K, and a place for each element unless the gemm is meant to be wrong.
func runs(t *testing.T, s step) {
	t.Helper()
	r := s.Run
	for _, x := range [][2]string{{"A", r.A}, {"B", r.B}} {
		mode := map[string]string{"A": "0", "B": "1"}[x[0]]
		same := fmt.Sprintf("size<0>(%s) == get<%s>(tile_shape(%s))", x[1], mode, r.MMA)
		whole := fmt.Sprintf("size<1>(%s) %% get<2>(tile_shape(%s)) == 0", x[1], r.MMA)
		if rows, blocks := value(t, s.program(same)), value(t, s.program(whole)); rows != "true" || blocks != "true" {
			t.Errorf("the gemm does not fit %s: %s is %s, %s is %s", x[0], same, rows, whole, blocks)
		}
	}
	a, b := value(t, s.program("is_injective("+r.A+")")), value(t, s.program("is_injective("+r.B+")"))
	if r.Wrong == (a == "true" && b == "true") {
		t.Errorf("expected wrong to be %t, A is injective: %s, B: %s", r.Wrong, a, b)
	}
}

// A claim is an expression and its value, between double braces in a text.
type claim struct{ expr, value string }

// claims returns the claims of a text: {{expr => value}}, whose value the page shows, and {{expr ==> value}}, an
// equation.
func claims(t *testing.T, text string) []claim {
	t.Helper()
	var out []claim
	for _, m := range braces(text) {
		body := text[m[0]+2 : m[1]-2]
		expr, v, ok := strings.Cut(body, " ==> ")
		if !ok {
			expr, v, ok = strings.Cut(body, " => ")
		}
		if !ok {
			t.Errorf("expected expr => value, found %q", body)
		}
		out = append(out, claim{expr, v})
	}
	return out
}

// braces returns where the claims are. An extra closing brace belongs to the value, which may be a list.
func braces(text string) [][2]int {
	var out [][2]int
	for at := 0; ; {
		i := strings.Index(text[at:], "{{")
		if i < 0 {
			return out
		}
		i += at
		j := strings.Index(text[i:], "}}")
		if j < 0 {
			return append(out, [2]int{i, len(text)})
		}
		j += i + 2
		for j < len(text) && text[j] == '}' {
			j++
		}
		out = append(out, [2]int{i, j})
		at = j
	}
}

// counted checks a number of wavefronts, or the swizzle that the solver finds.
func counted(t *testing.T, s step, c claim) {
	t.Helper()
	if s.Bank == nil {
		t.Fatalf("%s needs an access", c.expr)
	}
	last := s.Let[len(s.Let)-1][1]
	q := map[string]any{"type": s.Type, "accesses": []string{s.Bank.Access}}
	if s.Bank.Threads != "" {
		q["threads"] = []string{s.Bank.Threads}
	}
	var got string
	if c.expr == "@solve" {
		q["layout"] = last
		if r := do[service.SwizzleResponse](t, "swizzle", q); r.OK && len(r.Swizzles) > 0 {
			got = r.Swizzles[0].Swizzle
		}
	} else {
		q["expr"] = s.shown()
		r := do[service.BankResponse](t, "bank", q)
		if !r.OK {
			t.Fatalf("%s: %+v", last, r.Error)
		}
		switch a := r.Accesses[0]; c.expr {
		case "@degree":
			got = fmt.Sprint(r.Degree)
		case "@wavefronts":
			got = fmt.Sprint(a.Wavefronts)
		case "@ideal":
			got = fmt.Sprint(a.Ideal)
		}
	}
	if got != c.value {
		t.Errorf("the text says that %s is %s, it is %s", c.expr, c.value, got)
	}
}

var (
	number = regexp.MustCompile(`\d+`)
	names  = regexp.MustCompile(`\b[sdm]\d\b|\b[Mm]odes? \d( and \d)?`)
)

var (
	marked = regexp.MustCompile("`[^`]+`|\\*([^*]+)\\*|\\*")
	words  = regexp.MustCompile(`^[\pL\d_ -]+$`)
)

// terms finds stars that Markdown reads as emphasis by mistake: a formula with a star, such as T*, belongs in code.
func terms(t *testing.T, text string) {
	t.Helper()
	prose := text
	for _, m := range braces(text) {
		prose = strings.Replace(prose, text[m[0]:m[1]], "", 1)
	}
	for _, m := range marked.FindAllStringSubmatch(prose, -1) {
		if m[0][0] == '*' && !words.MatchString(m[1]) {
			t.Errorf("%q of %q is no term", m[0], text)
		}
	}
}

// loose finds numbers in the prose that are in no expression of the step: nothing would notice if they were wrong.
func loose(t *testing.T, s step, text string) {
	t.Helper()
	known := map[string]bool{"0": true, "1": true}
	learn := func(x string) {
		for _, n := range number.FindAllString(x, -1) {
			known[n] = true
		}
	}
	learn(s.shown() + s.Tile + s.Type)
	if s.Bank != nil {
		learn(s.Bank.Access)
	}
	if s.Goal != nil {
		learn(fmt.Sprint(s.Goal.Solve))
	}
	prose := text
	for _, x := range s.Text {
		for _, m := range braces(x) {
			learn(x[m[0]:m[1]])
			if x == text {
				prose = strings.Replace(prose, x[m[0]:m[1]], "", 1)
			}
		}
	}
	prose = names.ReplaceAllString(prose, "")
	for _, n := range number.FindAllString(prose, -1) {
		if !known[n] {
			t.Errorf("the number %s of %q is in no expression of the step", n, text)
		}
	}
}
