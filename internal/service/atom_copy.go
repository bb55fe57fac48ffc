package service

import (
	"errors"
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/internal/lang/report"
)

// An AtomCopy describes what only copy instructions have. Its layouts map (thread, bit) to a bit of the data
// that one instruction moves.
type AtomCopy struct {
	Kind string `json:"kind"` // in words: "cp.async", "matrix", ...
	Src  string `json:"src"`  // the layout (thread, bit) of the source
	Dst  string `json:"dst"`  // the layout (thread, bit) of the destination
	Ref  string `json:"ref"`  // src or dst: the side whose layout is a TiledCopy's thread-value layout
	From string `json:"from"` // what a thread gives for the source
	To   string `json:"to"`   // what a thread gives for the destination
	Bits int64  `json:"bits"` // how many bits one instruction reads
}

func copyRow(c atom.Copy) AtomRow {
	return AtomRow{
		Name: c.Name, Kind: "copy", Arch: c.Arch,
		Types: fmt.Sprintf("%v -> %v, %v", c.From.Space, c.To.Space, c.Kind), Threads: c.Threads(),
	}
}

// copyAtom describes a copy instruction, with the bits that a thread moves if the request names a thread.
func copyAtom(c atom.Copy, req AtomRequest) AtomResponse {
	if req.Element != "" {
		return AtomResponse{Error: &report.Error{
			Code: string(cute.CodeType), Message: fmt.Sprintf("atom: elements A, B and C belong to an MMA, and %s is a "+
				"copy instruction", c.Name),
			Hint: "ask for a thread, or spread the copy over threads: tv(tiled_copy(...), S) in girih eval",
		}}
	}
	ref := "src"
	if c.Ref.Equal(c.Dst) && !c.Ref.Equal(c.Src) {
		ref = "dst"
	}
	resp := AtomResponse{
		OK: true, AtomRow: copyRow(c), ThrID: c.ThrID.String(), Text: c.Text, Source: c.Source, Thread: req.Thread,
		Copy: &AtomCopy{
			Kind: c.Kind.String(), Src: c.Src.String(), Dst: c.Dst.String(), Ref: ref,
			From: copySide(c.From), To: copySide(c.To), Bits: c.Bits(),
		},
	}
	if c.Note != "" {
		resp.Notes = append(resp.Notes, c.Note)
	}
	if req.Thread == nil {
		return resp
	}
	for _, side := range []struct {
		name string
		l    cute.Layout
	}{{"source", c.Src}, {"destination", c.Dst}} {
		held, err := bitsOf(side.l, *req.Thread)
		if err != nil {
			return AtomResponse{Error: report.Of(err)}
		}
		resp.Operands = append(resp.Operands, AtomOperand{Name: side.name, TV: side.l.String(), Holds: held})
	}
	return resp
}

// copySide is what a thread gives, in words.
func copySide(s atom.CopySide) string {
	if s.Space == atom.Registers {
		return fmt.Sprintf("%s, %d bits each", plural(s.Count, "register"), s.Unit)
	}
	return fmt.Sprintf("%v, %s of %d bits, aligned to %d", s.Space, plural(s.Count, "address"), s.Unit, s.Align)
}

// bitsOf returns the runs of bits that a thread holds in a layout (thread, bit) -> bit.
func bitsOf(l cute.Layout, thread int64) ([]string, error) {
	t, err := l.Mode(0)
	if err != nil {
		return nil, err
	}
	if thread < 0 || thread >= t.Size() {
		return nil, &cute.Error{
			Code: cute.CodeMode, Op: "atom",
			Msg: fmt.Sprintf("expected a thread from 0 to %d, found %d", t.Size()-1, thread),
		}
	}
	at, err := t.Eval(cute.Int(thread))
	if err != nil {
		return nil, err
	}
	first, _ := at.Int64()
	values, err := l.Mode(1)
	if err != nil {
		return nil, err
	}
	offsets, err := values.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	var runs []string
	for i := 0; i < len(offsets); {
		n := 1
		for i+n < len(offsets) && offsets[i+n] == offsets[i]+int64(n) {
			n++
		}
		if len(runs) == maxHeld {
			return append(runs, fmt.Sprintf("and %d more bits", len(offsets)-i)), nil
		}
		if n == 1 {
			runs = append(runs, fmt.Sprintf("bit %d", first+offsets[i]))
		} else {
			runs = append(runs, fmt.Sprintf("bits %d-%d", first+offsets[i], first+offsets[i]+int64(n)-1))
		}
		i += n
	}
	return runs, nil
}

// nameOf is the error about a name of neither an MMA nor a copy, with the suggestions for both.
func nameOf(name string, mma, other error) *report.Error {
	var m, c *cute.Error
	if !errors.As(mma, &m) || !errors.As(other, &c) || m.Code != cute.CodeName {
		return report.Of(mma)
	}
	if c.Code != cute.CodeName {
		return report.Of(other) // the error is about a parameter of a copy
	}
	info := &report.Error{Code: string(cute.CodeName), Message: fmt.Sprintf("atom: no MMA or copy instruction is "+
		"called %.60q", name), Hint: m.Hint}
	if info.Hint == "" || strings.Contains(strings.ToUpper(name), "LDSM") ||
		strings.Contains(strings.ToUpper(name), "COPY") || strings.Contains(strings.ToUpper(name), "STSM") {
		if c.Hint != "" {
			info.Hint = c.Hint
		}
	}
	return info
}
