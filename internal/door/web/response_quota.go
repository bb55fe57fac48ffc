package web

import (
	"context"
	"sync"
)

// A responseQuota bounds the bytes of the responses that are being sent, so that clients that read slowly do not fill
// the memory. A response longer than the quota gets the whole quota.
type responseQuota struct {
	size  int
	turn  chan struct{} // held while a response waits for bytes: one at a time, so that long responses get their turn
	freed chan struct{} // contains an element after bytes were returned

	mu   sync.Mutex
	left int
}

func newResponseQuota(size int) *responseQuota {
	return &responseQuota{size: size, left: size, turn: make(chan struct{}, 1), freed: make(chan struct{}, 1)}
}

// acquire waits until n bytes are free. It reports whether that happened before the context ended.
func (r *responseQuota) acquire(ctx context.Context, n int) bool {
	select {
	case r.turn <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	defer func() { <-r.turn }()
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

// release gives n bytes back.
func (r *responseQuota) release(n int) {
	r.mu.Lock()
	r.left += min(n, r.size)
	r.mu.Unlock()
	select {
	case r.freed <- struct{}{}:
	default: // there is already an element
	}
}
