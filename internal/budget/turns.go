package budget

import (
	"context"
	"slices"
	"sync"
)

// Turns decides which requests run. A fixed number run at a time. Beyond that number, a client without a running
// request still receives a turn, up to a number of clients, so that a client with slow requests delays only itself.
// When a request ends, the next turn goes to the client with the fewest running requests; if several have equally few,
// to the client that has waited longest.
type Turns struct {
	most    int // while fewer requests run, a client may have several
	clients int // the maximum number of running requests

	mu      sync.Mutex
	at      int            // the number of running requests
	of      map[string]int // running requests by client
	waiting []*waiter      // the callers that wait, in the order of arrival
}

type waiter struct {
	client string
	turn   chan struct{} // closed when it has its turn
}

// NewTurns returns turns for a number of requests, and for a number of further clients with one request each.
func NewTurns(requests, clients int) *Turns {
	return &Turns{most: requests, clients: max(requests, clients), of: make(map[string]int)}
}

// Enter waits for a client's turn. The caller must call leave once to end the turn; leave is nil if the context ended
// before the turn.
func (t *Turns) Enter(ctx context.Context, client string) (leave func()) {
	w := &waiter{client, make(chan struct{})}
	t.mu.Lock()
	t.waiting = append(t.waiting, w)
	t.next()
	t.mu.Unlock()
	leave = sync.OnceFunc(func() { t.leave(client) })
	select {
	case <-w.turn:
		return leave // immediately, whatever the context
	default:
	}
	select {
	case <-w.turn:
		return leave
	case <-ctx.Done():
	}
	t.mu.Lock()
	i := slices.Index(t.waiting, w)
	if i >= 0 {
		t.waiting = slices.Delete(t.waiting, i, i+1)
	}
	t.mu.Unlock()
	if i < 0 { // the turn came at the same time
		leave()
	}
	return nil
}

func (t *Turns) leave(client string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.at--
	if t.of[client]--; t.of[client] == 0 {
		delete(t.of, client)
	}
	t.next()
}

// next gives turns to the clients that are due.
func (t *Turns) next() {
	for len(t.waiting) > 0 {
		best := 0
		for i, w := range t.waiting {
			if t.of[w.client] < t.of[t.waiting[best].client] {
				best = i
			}
		}
		w := t.waiting[best]
		most := t.most
		if t.of[w.client] == 0 {
			most = t.clients
		}
		if t.at >= most {
			return
		}
		t.at++
		t.of[w.client]++
		t.waiting = slices.Delete(t.waiting, best, best+1)
		close(w.turn)
	}
}
