package document

import (
	"strings"

	"girih/internal/pattern"
)

// This file reads formulas that are displayed over several lines, between $$ or \[ \], or in an environment of rows:
//
//	$$
//	\begin{aligned}
//	A \circ B &= ((2,2),3):((24,2),8) \\
//	          &= (4,3):(24,8)
//	\end{aligned}
//	$$
//
// Each row becomes a line of its own. A row that begins with = continues the one above: it has the left side of that.

// maxDisplay is the largest number of lines of one formula.
const maxDisplay = 100

const (
	rowsNames = `(?:aligned|align|alignat|alignedat|equation|gather|gathered|split|eqnarray|multline)\*?`
	// displayOpen is the beginning of a formula that may have several lines.
	displayOpen = pattern.Pattern(`\$\$|\\\[|\\begin\{` + rowsNames + `\}`)
	rowsBegin   = pattern.Pattern(`\\begin\{` + rowsNames + `\}(?:\{\d+\})?|\\end\{` + rowsNames + `\}`)
	// rowMarks are marks of a row that are not part of its formula.
	rowMarks  = pattern.Pattern(`\\(?:tag|label)\*?\{[^{}]*\}|\\(?:nonumber|notag|displaystyle)\b`)
	rowBreak  = pattern.Pattern(`^\\\\\*?(?:\[[^\[\]]*\])?`)
	nameAlone = pattern.Pattern(`^[A-Za-z]\w*$`)
	mathFence = pattern.Pattern("(?ms)^```math[ \t]*$(.*?)^```[ \t]*$")
	// sentenceOver is the end of a line after which another sentence begins.
	sentenceOver = pattern.Pattern(`[.;!?。；！？]\s*$`)
)

// joinDisplays writes each row of a displayed formula as a line.
func joinDisplays(lines []Line) (list []Line) {
	for i := 0; i < len(lines); {
		d := display{lines: lines[i:]}
		if !d.open() || !d.read() {
			list = append(list, lines[i])
			i++
			continue
		}
		before := d.before
		if strings.TrimSpace(before) == "" {
			before = sentenceAbove(list)
		}
		list = append(list, d.all(strings.TrimSpace(before)+" ")...)
		i += d.n
	}
	return list
}

// sentenceAbove returns the sentence that the next line continues, as far as it is in the last three lines.
func sentenceAbove(list []Line) (text string) {
	for k := len(list) - 1; k >= max(0, len(list)-3) && !sentenceOver.MatchString(list[k].Text); k-- {
		text = list[k].Text + " " + text
	}
	return text
}

// A display is a formula that begins in the first of some lines.
type display struct {
	lines         []Line
	from          int // the position in the first line where its text begins
	before, close string
	after         string
	n             int // lines
	rows          []Line
}

// open finds the beginning of a formula that goes on in the next line, or that has rows.
func (d *display) open() bool {
	text := d.lines[0].Text
	for {
		at := displayOpen.FindStringIndex(text[d.from:])
		if at == nil {
			return false
		}
		mark := text[d.from+at[0] : d.from+at[1]]
		d.before = text[:d.from+at[0]]
		switch d.from += at[1]; {
		case mark == "$$":
			d.close = mark
		case mark == `\[` && strings.HasSuffix(d.before, `\`): // the space after a row
			continue
		case mark == `\[`:
			d.close = `\]`
		default:
			d.close = strings.Replace(mark, "begin", "end", 1)
		}
		inner, after, ends := strings.Cut(text[d.from:], d.close)
		if !ends || d.close[0] == '\\' && d.close[1] == 'e' || rowsBegin.MatchString(inner) {
			return true
		}
		d.from = len(text) - len(after)
	}
}

// read reads the rows. It returns false if the formula does not end, or has words.
func (d *display) read() bool {
	r := rowReader{}
	for i, l := range d.lines[:min(len(d.lines), maxDisplay)] {
		if i > 0 && (strings.TrimSpace(l.Text) == "" || l.Cells != d.lines[0].Cells || l.Number > d.lines[i-1].Number+1) {
			return false
		}
		text := l.Text
		if i == 0 {
			text = text[d.from:]
		}
		inner, after, ends := strings.Cut(text, d.close)
		if looksLikeProse(latexNamed.ReplaceAllString(inner, "")) {
			return false
		}
		l.Text = inner
		if r.line(l); ends {
			r.end()
			d.rows, d.after, d.n = r.rows, after, i+1
			return true
		}
	}
	return false
}

// all returns the rows as lines, with the text around them.
func (d *display) all(before string) (list []Line) {
	first := d.lines[0]
	if strings.TrimSpace(d.before) != "" {
		list = append(list, Line{Text: d.before, Number: first.Number, Cells: first.Cells})
	}
	head, right := "", "" // the two sides of the row that the following rows continue
	for _, row := range d.rows {
		text := row.Text
		if strings.HasPrefix(text, "=") && head != "" {
			if nameAlone.MatchString(Plain(head)) && right != "" {
				text = "=" + right + text
			}
			text = head + text
		} else {
			sides := append(Sides(text), "")
			head, right = sides[0], sides[1]
		}
		list = append(list, Line{Text: "$$" + text + "$$", Number: row.Number, Cells: row.Cells, Before: before})
	}
	if strings.Trim(d.after, " .,;:$]\\") != "" {
		last := d.lines[d.n-1]
		list = append(list, Line{Text: d.after, Number: last.Number, Cells: last.Cells})
	}
	return list
}

// A rowReader splits a formula into its rows.
type rowReader struct {
	rows  []Line
	row   Line
	depth int // the depth of braces, and of environments that are not rows, such as matrices
}

// line reads a line of a formula.
func (r *rowReader) line(l Line) {
	text := rowMarks.ReplaceAllString(rowsBegin.ReplaceAllString(l.Text, ""), "")
	for text != "" {
		if strings.TrimSpace(r.row.Text) == "" {
			r.row = Line{Number: l.Number, Cells: l.Cells}
		}
		n := 1
		switch {
		case strings.HasPrefix(text, `\begin{`), text[0] == '{':
			r.depth++
		case strings.HasPrefix(text, `\end{`), text[0] == '}':
			r.depth--
		}
		switch {
		case strings.HasPrefix(text, `\begin{`), strings.HasPrefix(text, `\end{`): // these braces name an environment
			n = max(1, strings.IndexByte(text, '}')+1)
			r.row.Text += text[:n]
		case r.depth == 0 && strings.HasPrefix(text, `\\`):
			n = len(rowBreak.FindString(text))
			r.end()
		case text[0] == '\\' && len(text) > 1:
			n = 2
			r.row.Text += text[:n]
		case r.depth == 0 && text[0] == '&':
		default:
			r.row.Text += text[:n]
		}
		text = text[n:]
	}
	r.row.Text += " "
}

// end ends a row. A row that ends with = goes on in the next one.
func (r *rowReader) end() {
	text := strings.TrimRight(strings.TrimSpace(r.row.Text), " .,;。，；")
	if text == "" || strings.HasSuffix(text, "=") {
		return
	}
	r.row.Text = text
	r.rows, r.row = append(r.rows, r.row), Line{}
}
