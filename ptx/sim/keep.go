package sim

import "context"

// This file limits what a run keeps in addition to its Memory: a stack of frames for each warp, local memory for each
// thread, shared memory for each block, the history of each word, operations in flight. keep counts each of these
// before its allocation. After a refusal the run ends when the current warp has had its turn, since one turn allocates
// little.

// A store counts the bytes that a run keeps, and records why the run must end.
type store struct {
	ctx     context.Context
	ask     func(bytes int64) error // Launch.Keep
	kept    int64                   // bytes
	granted int64                   // bytes that ask has allowed
	over    error                   // the error with which ask refused more bytes
}

// keepChunk is the least number of bytes to ask for, so that ask is not called for every small allocation.
const keepChunk = 64 << 10

// keep counts bytes that are kept from now on, or released if negative, and reports whether they are allowed.
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

// giveBack releases all bytes that the run kept, including the records of accesses to m.
func (s *store) giveBack(m *Memory) {
	for _, x := range m.segs {
		x.lines, x.store = nil, nil
	}
	if s.granted > 0 {
		_ = s.ask(-s.granted) // releasing bytes cannot fail
	}
	*s = store{over: s.over}
}

// isStopped reports whether the run must end.
func (s *store) isStopped() bool { return s.over != nil || s.ctx.Err() != nil }

// endError returns why a stopped run ends, and where its warps are.
func (g *grid) endError() error {
	if g.over != nil {
		return g.over
	}
	if err := g.ctx.Err(); err != nil {
		return &Error{Code: CodeStopped, Msg: "the run was stopped:" + where(g.active), Err: err}
	}
	return nil
}

// These are approximate sizes of the objects that a run keeps, in bytes.
const (
	wordPageBytes  = 14 << 10
	linePageBytes  = pageLines * (2*recordBytes + 8)
	recordBytes    = 32
	lineExtra      = 64 // the extra size of a line with several records of one kind
	operationBytes = 320
	regionBytesOf  = 40
	segmentBytes   = 320
	pointBytes     = 264
	meetingBytes   = 24
	registerBytes  = 8*lanes + 4
)

// countKept returns the number of records of l outside the line itself.
func (l *line) countKept() int {
	if l.more == nil {
		return 0
	}
	return cap(l.more.wrote) + cap(l.more.read)
}

// keepRecords counts the bytes of the records that l has gained since countKept returned was.
func (w *warp) keepRecords(l *line, was int) {
	n := l.countKept()
	switch {
	case n <= was:
		return
	case was == 0:
		w.block.grid.keep(lineExtra)
	}
	w.block.grid.keep((n - was) * recordBytes)
}

// bytes returns the size of o.
func (o *operation) bytes() int {
	return operationBytes + (cap(o.reads)+cap(o.writes))*regionBytesOf
}
