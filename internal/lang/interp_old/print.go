package interp

import (
	"fmt"
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/internal/lang/report"
)

// print runs print and printf.
func (r *runner) print(st *program.Print) *report.Error {
	when := eval.Result.AtTrace
	if st.Late || st.C {
		when = eval.Result.AtRun
	}
	text, fault := r.text(st.Parts, when)
	at := program.Expr{Pos: st.Pos(), End: st.Pos()}
	if fault == nil {
		fault = r.prints(text, at)
	}
	switch {
	case fault != nil:
		return fault
	case st.C && len(st.Parts) == 1 && st.Parts[0].X.Text != "":
		return r.emit(r.out.value(text), st.Parts[0].X)
	case r.trace != nil && st.Late:
		r.trace.late.WriteString(text)
		return r.Hold(len(text))
	case r.trace != nil && r.trace.past:
		return nil
	}
	return r.emit(r.out.text(text), at)
}

// prints counts the bytes printed at x, and refuses output beyond the limit.
func (r *runner) prints(text string, x program.Expr) *report.Error {
	most := maxOutput
	if r.Room > 0 {
		most = min(most, r.Room)
	}
	if r.printed += len(text); r.printed > most {
		return r.fault(cute.CodeLimit, x.Pos, x.End, fmt.Sprintf("a program prints at most %d bytes here", most))
	}
	return nil
}

// text returns the text of parts, with their values as they are at trace time or at run time.
func (r *runner) text(parts []program.Part, when func(eval.Result) string) (string, *report.Error) {
	var b strings.Builder
	for _, p := range parts {
		if p.X.Text == "" {
			b.WriteString(p.Text)
			continue
		}
		v, fault := r.value("", p.X)
		if fault != nil {
			return "", fault
		}
		text, fault := r.format(when(v), p)
		if fault != nil {
			return "", fault
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// format returns the text of a value in the width, and with the letter, of a format: [<>^][0][WIDTH][d|s|x].
func (r *runner) format(text string, p program.Part) (string, *report.Error) {
	spec := p.Spec
	if spec == "" {
		return text, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	isInt := err == nil || text == "?"
	side := byte('<')
	if isInt {
		side = '>'
	}
	if strings.IndexByte("<>^", spec[0]) >= 0 {
		side, spec = spec[0], spec[1:]
	}
	switch letter := spec[max(0, len(spec)-1):]; {
	case (letter == "d" || letter == "x") && !isInt:
		return "", r.fault(cute.CodeType, p.X.Pos, p.X.End,
			fmt.Sprintf("expected an integer for %%%s, found %s", letter, text))
	case letter == "x" && err == nil:
		text = strconv.FormatInt(n, 16)
	}
	fill := " "
	if strings.HasPrefix(spec, "0") && isInt {
		fill = "0"
	}
	width, _ := strconv.Atoi(strings.TrimRight(spec, "dsx")) // the parser has checked the digits
	return pad(text, max(0, width-len([]rune(text))), side, fill), nil
}

// pad adds room characters to a text that is on the given side: < left, ^ in the middle, > right.
func pad(text string, room int, side byte, fill string) string {
	switch side {
	case '<':
		return text + strings.Repeat(" ", room)
	case '^':
		return strings.Repeat(" ", room/2) + text + strings.Repeat(" ", room-room/2)
	}
	return strings.Repeat(fill, room) + text
}

// show runs print_layout, print_tensor and print_latex.
func (r *runner) show(st *program.Show) *report.Error {
	v, fault := r.value("", st.X)
	if fault != nil {
		return fault
	}
	var text string
	switch st.Name {
	case "print_layout":
		text, fault = r.Layout(st.X.Text)
	case "print_tensor":
		var err error
		if text, err = eval.PrintTensor(v.Value); err != nil {
			fault = report.Of(err)
		}
	default:
		text, fault = r.LaTeX(st.X.Text)
	}
	if fault == nil {
		fault = r.prints(text, st.X)
	}
	if fault != nil {
		fault.Pos, fault.End = st.X.Pos, st.X.End
		return fault
	}
	if r.trace != nil { // a layout is known at run time only
		r.trace.late.WriteString(text)
		return r.Hold(len(text))
	}
	return r.emit(r.out.line(text), st.X)
}

// A printer writes lines. print of C++ does not end its line, so consecutive values would run together. So a value ends
// its line, unless the value follows a text or the next text begins with a newline.
type printer struct {
	emit  func(string) error
	state lineState
}

// A lineState is what the last line is.
type lineState uint8

const (
	lineEmpty lineState = iota
	lineText            // a text
	lineValue           // a value that C++ printed after a text
	lineAlone           // a value that C++ printed at its beginning
)

// text writes a text as it is.
func (p *printer) text(s string) error {
	if s == "" {
		return nil
	}
	if p.state == lineAlone && s[0] != '\n' {
		s = "\n" + s
	}
	p.state = lineText
	if strings.HasSuffix(s, "\n") {
		p.state = lineEmpty
	}
	return p.emit(s)
}

// value writes a value that C++ prints on its own: after a text, or on its own line.
func (p *printer) value(s string) error {
	switch p.state {
	case lineValue, lineAlone:
		s, p.state = "\n"+s, lineAlone
	case lineText:
		p.state = lineValue
	default:
		p.state = lineAlone
	}
	return p.emit(s)
}

// line writes text that begins a line.
func (p *printer) line(s string) error {
	if s == "" {
		return nil
	}
	if err := p.end(); err != nil {
		return err
	}
	return p.text(s)
}

// end ends the last line.
func (p *printer) end() error {
	if p.state == lineEmpty {
		return nil
	}
	return p.text("\n")
}
