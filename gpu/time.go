package gpu

import (
	"context"
	"fmt"
	"slices"
	"time"

	"girih/internal/card/cuda"
)

// A Case is work to be timed.
type Case struct {
	Name string
	Run  func() error // queues the work without waiting
}

// TimeOptions determines how cases are timed.
type TimeOptions struct {
	Rounds int           // measurements of each case; 0 for 20
	Cold   bool          // clear the L2 before each run
	Rest   time.Duration // before each measurement, for work that would keep the card at its limit of power
}

// A Report contains the measurements of [Device.Time].
type Report struct {
	Cold          bool
	Cases         []Times // the times in the order of the cases
	Before, After State
	Clocks        string // a sentence about the clocks during the measurement
}

// Times contains the measurements of a case. With a warm L2, a measurement of short work is the mean of Batch runs.
type Times struct {
	Name  string
	Batch int
	Graph bool            // a batch was launched as one graph, so that the host did not delay the card
	Each  []time.Duration // the measurement of each round
}

// Median returns the median of the measurements.
func (t Times) Median() time.Duration { return t.Quantile(0.5) }

// Quantile returns the q-quantile of the measurements: q = 0 is the fastest, q = 1 the slowest. Without measurements it
// returns 0.
func (t Times) Quantile(q float64) time.Duration {
	if len(t.Each) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(t.Each))
	at := min(max(q, 0), 1) * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + time.Duration((at-float64(i))*float64(sorted[i+1]-sorted[i]))
}

// Time compares cases with events of the card. Each case runs to warm up; then each round measures every case once, so
// that all cases meet the same clocks and temperature. Each round begins with another case. Nothing else may use the
// device during Time. The error has the code [Argument] if there is no case, [OutOfMemory] if there is not enough
// memory to clear the L2, and [Left] if ctx ended. An error of a case is returned with the name of the case.
func (d *Device) Time(ctx context.Context, o TimeOptions, cases ...Case) (*Report, error) {
	rounds := o.Rounds
	if rounds == 0 {
		rounds = 20
	}
	if len(cases) == 0 || rounds < 1 {
		return nil, wrong("%d cases in %d rounds: 1 at least of both", len(cases), rounds)
	}
	m, err := d.timer(o)
	if err != nil {
		return nil, err
	}
	defer m.close()
	r := &Report{Cold: o.Cold, Cases: make([]Times, len(cases))}
	repeated := make([]repeat, len(cases))
	defer func() {
		for _, p := range repeated {
			p.close()
		}
	}()
	for i, c := range cases {
		if repeated[i], err = m.warm(ctx, c); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		r.Cases[i] = Times{Name: c.Name, Batch: repeated[i].batch, Graph: repeated[i].graph != nil}
	}
	r.Before = stateOf(d.ctx.Device())
	for round := range rounds {
		for i := range cases {
			select {
			case <-ctx.Done(): // the measurement then says so
			case <-time.After(o.Rest):
			}
			at := (round + i) % len(cases)
			t, err := m.once(ctx, repeated[at])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", cases[at].Name, err)
			}
			r.Cases[at].Each = append(r.Cases[at].Each, t)
		}
	}
	r.After = stateOf(d.ctx.Device())
	r.Clocks = r.clocks()
	return r, nil
}

func (r *Report) clocks() string {
	if r.Before.SMMHz == 0 || r.After.SMMHz == 0 {
		return "NVML does not report the clocks"
	}
	return fmt.Sprintf("SM clock %d MHz before and %d MHz after, of at most %d; memory %d MHz; %d C and %.0f W after",
		r.Before.SMMHz, r.After.SMMHz, r.After.MaxSMMHz, r.After.MemoryMHz, r.After.Celsius, r.After.Watts)
}

// A timer measures the time between two events.
type timer struct {
	d           *Device
	start, stop *cuda.Event
	flush       *Buffer[uint32] // nil for a warm L2
}

func (d *Device) timer(o TimeOptions) (*timer, error) {
	if err := d.alive(); err != nil {
		return nil, err
	}
	m := &timer{d: d}
	var failed *cuda.Failure
	if m.start, failed = d.ctx.Event(); failed != nil {
		return nil, failure(failed)
	}
	m.stop, failed = d.ctx.Event()
	err := failure(failed)
	if err == nil && o.Cold {
		m.flush, err = Alloc[uint32](d, max(int(d.info.L2), 32<<20)/2) // twice the L2
	}
	if err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

func (m *timer) close() {
	if m.stop != nil {
		_ = m.stop.Close()
	}
	_ = m.start.Close()
	if m.flush != nil {
		_ = m.flush.Close()
	}
}

// once returns the mean time of p's runs. Clearing the L2 keeps the card busy until the run is queued, so that only
// time on the card is measured. With a warm L2, the measurement includes the time of one launch; see warm.
func (m *timer) once(ctx context.Context, p repeat) (time.Duration, error) {
	if m.flush != nil {
		if err := m.flush.Fill(0); err != nil {
			return 0, err
		}
	}
	if err := m.start.Record(m.d.main.stream); err != nil {
		return 0, failure(err)
	}
	if err := p.run(); err != nil {
		return 0, err
	}
	if err := m.stop.Record(m.d.main.stream); err != nil {
		return 0, failure(err)
	}
	if err := m.d.Wait(ctx); err != nil {
		return 0, err
	}
	t, err := m.stop.Since(m.start)
	return t / time.Duration(p.batch), failure(err)
}

// A repeat is a batch of runs of a case that are timed together.
type repeat struct {
	c     Case
	batch int
	graph *Graph // nil if the runs are queued one by one
}

func (p repeat) run() error {
	if p.graph != nil {
		return p.graph.Launch()
	}
	for range p.batch {
		if err := p.c.Run(); err != nil {
			return err
		}
	}
	return nil
}

func (p repeat) close() {
	if p.graph != nil {
		_ = p.graph.Close()
	}
}

// warm runs c for at least 20 ms, until the clocks have risen. With a warm L2, a measurement takes enough runs for
// 2 ms, so that the first launch and the resolution of events are negligible; with a cold L2, it takes one run. A graph
// of some runs says how long one is: a single launch from the host may take longer than its work.
func (m *timer) warm(ctx context.Context, c Case) (repeat, error) {
	const least, most = 20 * time.Millisecond, 1000
	p := repeat{c: c, batch: 1}
	var last time.Duration
	for begin, n := time.Now(), 0; n < 3 || n < most && time.Since(begin) < least; n++ {
		var err error
		if last, err = m.once(ctx, p); err != nil {
			return p, err
		}
	}
	if m.flush != nil {
		return p, nil
	}
	const measurement = 2 * time.Millisecond
	p.batch = min(max(int(measurement/max(last, time.Nanosecond)), 4), most)
	var err error
	if p, last, err = m.graph(ctx, p); p.graph == nil || err != nil {
		return p, err
	}
	long := repeat{c: c, batch: min(max(int(measurement/max(last, time.Nanosecond)), 1), most)}
	if long.batch <= p.batch {
		return p, nil
	}
	p.close()
	long, _, err = m.graph(ctx, long)
	return long, err
}

// graph captures the runs of p, and returns the time of one of them. Runs that cannot be part of a graph are queued one
// by one.
func (m *timer) graph(ctx context.Context, p repeat) (repeat, time.Duration, error) {
	g, err := m.d.Capture(p.run)
	if err != nil {
		return p, 0, nil
	}
	p.graph = g
	var t time.Duration
	for range 2 { // the first launch of a graph is slow
		if t, err = m.once(ctx, p); err != nil {
			p.close()
			return repeat{}, 0, err
		}
	}
	return p, t, nil
}
