package vectors

import (
	"strings"

	"girih/internal/lang/reader"
)

// A notationCase is a row of notations.json.
type notationCase struct {
	ID        string `json:"id"`
	Kind      string `json:"kind"`
	Text      string `json:"text"`
	Canonical string `json:"canonical"`
}

// runNotations runs notations.json: spellings that people paste, with their meanings. The reader must find the meaning.
// A meaning in words, such as "dot operand", cannot be compared; then the reader must find some value.
func runNotations(rep *Report, data []byte) error {
	return eachCase(rep, data, func(c notationCase) { rep.add(c.ID, c.Kind, c.run()) })
}

func (c notationCase) run() outcome {
	r := reader.Read(c.Text)
	var found []string
	for _, it := range r.Items {
		found = append(found, it.Text)
	}
	o := outcome{verdict: failed, expr: c.Text, got: strings.Join(found, " ; "), want: c.Canonical}
	if len(found) == 0 {
		o.why = "nothing was found"
		return o
	}
	for _, want := range c.meanings() {
		for _, text := range found {
			if squeeze(text) == want {
				return pass()
			}
		}
	}
	if c.inWords() {
		return skip("the meaning is in words, and a value was found")
	}
	o.why = "another value"
	return o
}

// meanings returns the texts, without spaces, that match the canonical form: the form itself, its part before or after
// certain words, and the values that the reader finds in these texts.
func (c notationCase) meanings() []string {
	texts := []string{c.Canonical}
	for _, prefix := range []string{"symbolic: ", "shape "} {
		if rest, ok := strings.CutPrefix(c.Canonical, prefix); ok {
			texts = append(texts, rest)
		}
	}
	if call, _, ok := strings.Cut(c.Canonical, " => "); ok {
		texts = append(texts, call)
	}
	for _, cut := range []string{" rejected", " fails", " == ", " row-major"} {
		if head, _, ok := strings.Cut(c.Canonical, cut); ok {
			texts = append(texts, head)
		}
	}
	for _, t := range texts {
		for _, it := range reader.Read(t).Items {
			texts = append(texts, it.Text)
		}
	}
	for i, t := range texts {
		texts[i] = squeeze(t)
	}
	return texts
}

// squeeze removes spaces, and writes tiles with angle brackets and commas.
func squeeze(text string) string {
	text = strings.ReplaceAll(text, " ", "")
	if strings.Contains(text, ";") {
		text = strings.NewReplacer("[", "<", "]", ">", ";", ",").Replace(text)
	}
	return text
}

// inWords reports whether the meaning is a description and not a value.
func (c notationCase) inWords() bool {
	letters, marks := 0, 0
	for _, r := range c.Canonical {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			letters++
		case r != ' ':
			marks++
		}
	}
	return letters > marks
}
