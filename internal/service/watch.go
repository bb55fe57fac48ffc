package service

// A Progress says how far an operation is that takes seconds.
type Progress struct {
	Stage string // run: instructions of a kernel that ran; sort: moves of data that were assigned to places
	Done  int64
	Most  int64 // of run, the limit, which most runs do not reach; of sort, all moves
}

// Watch calls f often during operations that take seconds, in their goroutine.
func (s *Session) Watch(f func(Progress)) { s.watch = f }

// watching returns a function that reports the progress of a stage; nil if nobody watches the session.
func (s *Session) watching(stage string) func(done, most int64) {
	if s.watch == nil {
		return nil
	}
	return func(done, most int64) { s.watch(Progress{Stage: stage, Done: done, Most: most}) }
}
