package service

import (
	"cmp"
	"slices"

	"girih/dtype"
	"girih/internal/lang/paste"
	"girih/internal/lang/report"
	"girih/internal/picture/link"
)

// An InspectRequest asks for a value element by element, as linked views show the value.
type InspectRequest struct {
	Expr string `json:"expr"`
	// Tile reads a layout as a thread-value layout onto the colexicographic indices of a tile of this shape, such as
	// (16,8).
	Tile string `json:"tile,omitempty"`
	Type string `json:"type,omitempty"` // the type of the elements, for bytes and banks; f32 if empty
}

// An InspectResponse is a value with its elements.
type InspectResponse struct {
	OK     bool     `json:"ok"`
	Kind   string   `json:"kind,omitempty"`
	Value  string   `json:"value,omitempty"` // the canonical text of the value
	Notes  []string `json:"notes,omitempty"`
	Static string   `json:"static,omitempty"` // the text at trace time, if it differs from Value

	link.Model

	Error *report.Error `json:"error,omitempty"`
	Place *Place        `json:"place,omitempty"` // where the error is in the expression
}

// A Place is the bytes [Pos, End) of an expression.
type Place struct {
	Pos int `json:"pos"`
	End int `json:"end"`
}

// Inspect evaluates the program and returns the value of its last statement with all its elements.
func (s *Session) Inspect(req InspectRequest) InspectResponse {
	last, notes, fault := s.few("inspect", req.Expr)
	switch {
	case fault != nil:
		return InspectResponse{Error: fault, Place: &Place{fault.Pos, fault.End}}
	case last.Value == nil:
		return InspectResponse{OK: true, Kind: KindNone}
	}
	typ, err := dtype.Parse(cmp.Or(req.Type, "f32"))
	if err != nil {
		return InspectResponse{Error: report.Whole(err, req.Expr)}
	}
	m, more, err := link.Inspect(last.Value, typ, req.Tile)
	if err != nil {
		info := report.Whole(err, req.Expr)
		return InspectResponse{Error: info, Place: &Place{info.Pos, info.End}}
	}
	text := last.Value.String()
	m.Symbols, m.Trials, m.InBytes = s.env.Symbols(), s.env.Trials(), paste.InBytes(text, typ.Bits())
	return InspectResponse{
		OK: true, Kind: string(last.Value.Kind()), Value: text, Notes: append(slices.Clip(notes), more...),
		Static: last.Static, Model: m,
	}
}
