package document

import (
	"encoding/json"
	"fmt"
	"strings"

	"girih/internal/lang/program"
)

// notebook reads the cells of a Jupyter notebook, with the outputs that it stores.
func (d *Document) notebook(text string) error {
	var book struct {
		Cells []struct {
			Type    string `json:"cell_type"`
			Source  lines  `json:"source"`
			Outputs []struct {
				Type string `json:"output_type"`
				Name string `json:"name"`
				Text lines  `json:"text"`
				Data struct {
					Plain lines `json:"text/plain"`
				} `json:"data"`
			} `json:"outputs"`
		} `json:"cells"`
	}
	if err := json.Unmarshal([]byte(text), &book); err != nil {
		return fmt.Errorf("expected a Jupyter notebook, found text that is not one: %w", err)
	}
	for i, c := range book.Cells {
		if c.Type != "code" || strings.TrimSpace(string(c.Source)) == "" {
			d.Rest += string(c.Source) + "\n\n"
			for _, l := range linesOf(nil, string(c.Source), outsideFences()) {
				d.Lines = append(d.Lines, Line{Text: l.Text, Number: i + 1, Cells: len(d.Cells)})
			}
			continue
		}
		cell := Cell{Prose: d.Rest, Src: withoutMagic(string(c.Source)), Lang: program.Python, Line: i + 1}
		for _, o := range c.Outputs {
			if o.Type == "stream" && o.Name != "stderr" {
				cell.Output, cell.HasOutput = cell.Output+string(o.Text), true
			}
		}
		d.Cells, d.Rest = append(d.Cells, cell), ""
	}
	return nil
}

// lines is a text that JSON holds as a string, or as a list of lines.
type lines string

// UnmarshalJSON reads a string or a list of strings.
func (l *lines) UnmarshalJSON(text []byte) error {
	var list []string
	if err := json.Unmarshal(text, &list); err == nil {
		*l = lines(strings.Join(list, ""))
		return nil
	}
	return json.Unmarshal(text, (*string)(l))
}

// withoutMagic blanks the lines with commands of the notebook, %matplotlib and !pip, and keeps the numbers of lines.
func withoutMagic(src string) string {
	var b strings.Builder
	for l := range strings.Lines(src) {
		if strings.HasPrefix(l, "%") || strings.HasPrefix(l, "!") {
			l = "\n"
		}
		b.WriteString(l)
	}
	return b.String()
}
