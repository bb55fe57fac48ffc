package kernel

import "runtime"

// A stack is where an operation comes from: the calls around it, or the place that [K.At] states.
type stack struct {
	pcs    [12]uintptr
	stated Place
}

// At states the place of the operations that follow, up to the next call: a line of a text in another language, from
// which the traced function makes the kernel. Errors, findings and reports then name that line instead of the line of
// the Go function. The zero Place ends this.
func (k *K) At(p Place) {
	if k.ready() {
		k.stated = p
	}
}

// keep records the place of an operation; skip is as for [runtime.Callers].
func (s *stack) keep(k *K, skip int) {
	if s.stated = k.stated; s.stated.Line == 0 {
		runtime.Callers(skip+1, s.pcs[:])
	}
}

// outside returns the line that made the operation, outside of this package.
func (s *stack) outside() (file string, line int) {
	if s.stated.Line > 0 {
		return s.stated.File, s.stated.Line
	}
	return outside(s.pcs[:])
}

// places returns the line that made the operation, and the calls of helper functions around it.
func (s *stack) places() []Place {
	if s.stated.Line > 0 {
		return []Place{s.stated}
	}
	return placesOf(s.pcs[:])
}

// orStated returns the place that [K.At] states, and otherwise the places of a stack.
func (k *K) orStated(at []Place) []Place {
	if k.stated.Line > 0 {
		return []Place{k.stated}
	}
	return at
}
