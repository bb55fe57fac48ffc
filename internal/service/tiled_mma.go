package service

// tiledMMAOperation is the row of a TiledMMA with its permutation.
func tiledMMAOperation() Operation {
	return Operation{
		Name: "mma", Doc: "A TiledMMA, and the permutation that makes values of a thread contiguous.",
		Words: map[string][]Word{"operand": wordsOf("A", "B", "C"), "along": wordsOf("M", "N", "K")},
		Tool: &ToolDoc{
			Title: "Build a TiledMMA",
			Brief: "a TiledMMA as make_tiled_mma builds it: thr_layout_vmnk, tile, fragments; with run, the permutation that gives a thread this many contiguous values.",
			Doc: "make_tiled_mma(atom, AtomLayoutMNK, PermutationMNK): thr_layout_vmnk, the tile, and of A, B and C the " +
				"thread-value layout and a thread's fragment. With run: the PermutationMNK of the smallest tile in which each " +
				"thread holds this many consecutive elements of an operand.",
		},
		do: method[PermuteRequest, TiledMMAResponse]{
			do: (*Session).TiledMMA,
			said: func(_ PermuteRequest, r TiledMMAResponse, _ Door) Answer {
				return Answer{Fault: r.Fault, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error}
			},
		}.caller(),
	}
}

// A TiledMMAResponse is a TiledMMA with its layouts, and the requested permutation.
type TiledMMAResponse struct {
	MMAResponse

	Permuted *Permuted `json:"permuted,omitempty"` // what the permutation does, if one was asked for
}

// Permuted describes the effect of a permutation on the values of a thread.
type Permuted struct {
	Permutation string   `json:"permutation"` // PermutationMNK
	Operand     string   `json:"operand"`     // the operand whose values are contiguous: A, B or C
	Before      []string `json:"before"`      // thread 0's coordinates without the permutation, by value
	After       []string `json:"after"`       // thread 0's coordinates with the permutation, by value
}

// TiledMMA describes a TiledMMA. If the request asks for a run of values, the TiledMMA gets the permutation that
// [Session.Permute] finds. A request with an operand or a mode, but without a run, is an error.
func (s *Session) TiledMMA(req PermuteRequest) TiledMMAResponse {
	if req.Run == 0 && req.Operand == "" && req.Along == "" {
		return TiledMMAResponse{MMAResponse: s.MMA(req.MMARequest)}
	}
	if req.Run == 0 {
		return TiledMMAResponse{MMAResponse: MMAResponse{
			Error: usage("expected the number of values that should be contiguous in addition to the operand, found no run"),
			Fault: Fault{Usage: true},
		}}
	}
	p := s.Permute(req)
	if !p.OK {
		return TiledMMAResponse{MMAResponse: MMAResponse{Error: p.Error, Fault: p.Fault}}
	}
	r := TiledMMAResponse{MMAResponse: s.MMA(MMARequest{Atom: p.MMA})}
	r.Notes = p.Notes
	r.Permuted = &Permuted{Permutation: p.Permutation, Operand: p.Operand, Before: p.Before, After: p.After}
	return r
}

// Text returns the TiledMMA as a person reads it, with its permutation. Every line ends with a newline.
func (r TiledMMAResponse) Text() string {
	text := r.MMAResponse.Text()
	if p := r.Permuted; p != nil {
		text += "\n" + PermuteResponse{
			Permutation: p.Permutation, MMA: r.MMA, Operand: p.Operand, Before: p.Before,
			After: p.After,
		}.Text()
	}
	return text
}
