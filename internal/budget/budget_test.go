package budget_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"girih/internal/budget"
)

func TestTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		b := budget.New(ctx, 100)
		if err := b.Stop(); err != nil {
			t.Errorf("at the start: %v", err)
		}
		time.Sleep(10*time.Second + 1)
		if over, ok := errors.AsType[*budget.Over](b.Stop()); !ok || !strings.Contains(over.Why, "10s") {
			t.Errorf("after the time: %v", b.Stop())
		}
		if b.Hold(1) == nil {
			t.Error("a budget that is over gives memory")
		}
	})
}

func TestTakenBack(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	b := budget.New(ctx, 100)
	cancel()
	if err := b.Stop(); err == nil || !strings.Contains(err.Error(), "taken back") {
		t.Errorf("after the request was taken back: %v", err)
	}
}

func TestMemory(t *testing.T) {
	t.Parallel()
	b := budget.New(t.Context(), 3<<20)
	for _, n := range []int64{1 << 20, 2 << 20, -1 << 20, 1 << 20} {
		if err := b.Hold(n); err != nil {
			t.Fatalf("%d of %d held: %v", n, b.InUse(), err)
		}
	}
	if err := b.Hold(1); err == nil || !strings.Contains(err.Error(), "3 MiB") {
		t.Errorf("more than there is: %v", err)
	}
	if b.Stop() == nil {
		t.Error("work goes on without memory")
	}
	var none *budget.Budget
	if none.Hold(1<<60) != nil || none.Stop() != nil {
		t.Error("no budget has a limit")
	}
}

// If the requests together hold too much, the request that holds most ends, not the last to ask.
func TestShared(t *testing.T) {
	t.Parallel()
	p := budget.NewPool(10<<20, 0)
	large, small := p.Budget(t.Context(), 9<<20), p.Budget(t.Context(), 9<<20)
	if large.Hold(8<<20) != nil || small.Hold(1<<20) != nil {
		t.Fatal("there is room for both")
	}
	if err := small.Hold(2 << 20); err != nil {
		t.Errorf("the small one: %v", err)
	}
	if err := large.Stop(); err == nil || !strings.Contains(err.Error(), "8 MiB") {
		t.Errorf("the large one: %v", err)
	}
	large.Close()
	if err := small.Hold(5 << 20); err != nil {
		t.Errorf("the small one after the large one: %v", err)
	}
}

// A heap that is too large ends requests, one after the other, until none is left.
func TestHeap(t *testing.T) {
	t.Parallel()
	p := budget.NewPool(1<<40, 1) // every heap is larger
	b := p.Budget(t.Context(), 1<<30)
	for b.Stop() == nil {
		time.Sleep(time.Millisecond)
	}
	b.Close()
}

func TestTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := budget.NewTurns(2, 4)
		enter := func(client string, wait time.Duration) func() {
			ctx, cancel := context.WithTimeout(t.Context(), wait)
			defer cancel()
			return turns.Enter(ctx, client)
		}
		a1, a2 := enter("a", time.Second), enter("a", time.Second)
		if a1 == nil || a2 == nil {
			t.Fatal("two have no turn where two may")
		}
		if enter("a", time.Second) != nil {
			t.Error("a third one of the same client has a turn")
		}
		b := enter("b", 0)
		if b == nil {
			t.Fatal("another client has to wait")
		}
		if enter("b", time.Second) != nil {
			t.Error("a second one of the other client has a turn")
		}
		c := enter("c", 0)
		if c == nil || enter("d", time.Second) != nil {
			t.Error("four clients may be at work, and no more")
		}
		// A request that has waited longer comes after a request of a client with fewer running requests.
		order := make(chan string, 2)
		var done sync.WaitGroup
		for _, client := range []string{"a", "d"} {
			done.Go(func() {
				leave := turns.Enter(t.Context(), client)
				order <- client
				leave()
			})
			synctest.Wait()
		}
		a1()
		synctest.Wait()
		b()
		c()
		a2()
		if first := <-order; first != "d" {
			t.Errorf("%s has its turn before a client that has none", first)
		}
		<-order
		done.Wait()
	})
}
