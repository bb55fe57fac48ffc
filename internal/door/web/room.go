package web

import (
	"context"
	"sync"
)

// A room holds the responses that are being sent, up to a number of bytes, so that clients that read slowly do not fill
// the memory. A response that is longer than the room has it for itself.
type room struct {
	size  int
	door  chan struct{} // has an element while somebody waits to enter: one at a time, so that long ones get in
	freed chan struct{} // has an element after somebody has left

	mu   sync.Mutex
	left int
}

func newRoom(size int) *room {
	return &room{size: size, left: size, door: make(chan struct{}, 1), freed: make(chan struct{}, 1)}
}

// enter waits until there is room for n bytes. It reports whether there was some before the context ended.
func (r *room) enter(ctx context.Context, n int) bool {
	select {
	case r.door <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	defer func() { <-r.door }()
	n = min(n, r.size)
	for {
		r.mu.Lock()
		ok := r.left >= n
		if ok {
			r.left -= n
		}
		r.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-r.freed:
		case <-ctx.Done():
			return false
		}
	}
}

// leave gives the room of n bytes back.
func (r *room) leave(n int) {
	r.mu.Lock()
	r.left += min(n, r.size)
	r.mu.Unlock()
	select {
	case r.freed <- struct{}{}:
	default: // it is known already
	}
}
