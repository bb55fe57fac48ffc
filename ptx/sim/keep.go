package sim

import "context"

// What a run keeps besides its Memory is unbounded: a stack of frames for each warp, local memory for each thread,
// shared memory for each block, what is known of each word, operations in flight. Each is counted before it is made,
// with keep. After a refusal the run ends as soon as the warp that it is at has had its turn: what is made in one turn
// is little.

// A store is what a run keeps, and what ends it.
type store struct {
	ctx     context.Context
	ask     func(bytes int64) error // Launch.Keep
	kept    int64                   // bytes
	granted int64                   // bytes that ask has allowed
	over    error                   // why it allows no more
}

// keepChunk is what is asked for at least, so that ask is not called for each little thing.
const keepChunk = 64 << 10

// keep counts bytes that are kept from now on, or with a negative number no longer, and reports whether they may be.
func (s *store) keep(bytes int) bool {
	if s.kept += int64(bytes); s.kept <= s.granted || s.ask == nil {
		return true
	}
	if s.over != nil {
		return false
	}
	n := max(s.kept-s.granted, keepChunk)
	if err := s.ask(n); err != nil {
		s.over = &Error{Code: CodeMemory, Msg: err.Error(), Err: err}
		return false
	}
	s.granted += n
	return true
}

// giveBack ends the account, that of m included.
func (s *store) giveBack(m *Memory) {
	for _, x := range m.segs {
		x.lines, x.store = nil, nil
	}
	if s.granted > 0 {
		_ = s.ask(-s.granted) // there is less of it
	}
	*s = store{over: s.over}
}

// stopped reports whether the run is to end.
func (s *store) stopped() bool { return s.over != nil || s.ctx.Err() != nil }

// ended returns why a run ends that is stopped, with where its warps are.
func (g *grid) ended() error {
	if g.over != nil {
		return g.over
	}
	if err := g.ctx.Err(); err != nil {
		return &Error{Code: CodeStopped, Msg: "the run was stopped:" + where(g.active), Err: err}
	}
	return nil
}

// What things take, in bytes, roughly.
const (
	wordPageBytes  = 14 << 10
	linePageBytes  = pageLines * (2*recordBytes + 8)
	recordBytes    = 32
	lineExtra      = 192 // of a line with more than one record of each kind
	operationBytes = 320
	regionBytesOf  = 40
	segmentBytes   = 320
	pointBytes     = 192
	registerBytes  = 8*lanes + 4
)

// kept returns the records of l that did not fit it.
func (l *line) kept() int {
	if l.more == nil {
		return 0
	}
	return cap(l.more.wrote) + cap(l.more.read)
}

// keepRecords counts the records of l that are more than they were.
func (w *warp) keepRecords(l *line, was int) {
	n := l.kept()
	switch {
	case n <= was:
		return
	case was == 0:
		w.block.grid.keep(lineExtra)
	}
	w.block.grid.keep((n - was) * recordBytes)
}

// bytes returns what o takes.
func (o *operation) bytes() int {
	return operationBytes + (cap(o.reads)+cap(o.writes))*regionBytesOf
}
