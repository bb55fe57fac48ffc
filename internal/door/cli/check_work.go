package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"girih/internal/finding"
	"girih/internal/service"
	"girih/internal/terminal"
	"girih/internal/version"
)

// This file checks the files of a plan, several at a time, and puts what is found in order.

// A checkOutcome is the report of a check.
type checkOutcome struct {
	finding.Report
	values      []finding.Value
	interrupted bool
}

// A unitResult is what the check of one file found.
type unitResult struct {
	number   int
	relevant bool
	examined service.Examination
	err      error
}

// carryOut checks all files. When the context is done, it returns at once, with the results so far.
func (k *checkForm) carryOut(ctx context.Context, plan *checkPlan) *checkOutcome {
	var done atomic.Int64
	if terminal.Is(k.c.ErrOrStderr()) {
		defer progress(k.c.ErrOrStderr(), func() string {
			return fmt.Sprintf("%d of %d files, ", done.Load(), len(plan.units))
		})()
	}
	cache := k.openCache()
	results := make(chan unitResult)
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), max(len(plan.units), 1)) {
		workers.Go(func() {
			for n := range next {
				r := k.examine(ctx, cache, plan.units[n])
				if r.number = n; ctx.Err() != nil {
					return // the answer may be that it was interrupted
				}
				select {
				case results <- r:
				case <-ctx.Done():
				}
			}
		})
	}
	go func() {
		defer close(next)
		for n := range plan.units {
			select {
			case next <- n:
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		workers.Wait()
		close(results)
	}()
	all := make([]*unitResult, len(plan.units))
	for open := true; open; {
		select {
		case r, more := <-results:
			if open = more; more {
				done.Add(1)
				all[r.number] = &r
			}
		case <-ctx.Done():
			open = false
		}
	}
	if note := cache.trouble(); note != "" {
		plan.notes = append(plan.notes, note)
	}
	return k.outcome(plan, all)
}

// outcome puts results in order; those that are nil were not reached.
func (k *checkForm) outcome(plan *checkPlan, all []*unitResult) *checkOutcome {
	o := &checkOutcome{}
	o.Version, o.Strict, o.Rules, o.Failed = version.Number, k.q.Strict, service.FindingRules(), plan.failed
	o.Folder = folderInRepository()
	for i, r := range all {
		path := plan.units[i].path
		switch {
		case r == nil:
			o.Left++
			o.interrupted = true
		case r.err != nil:
			plan.fail(path, r.err)
			o.Failed = plan.failed
		case r.relevant:
			o.Files = append(o.Files, path)
			o.values = append(o.values, r.examined.Values...)
			for _, f := range r.examined.Findings {
				if !plan.settings.ignores(f) {
					o.Findings = append(o.Findings, f)
				}
			}
		}
	}
	finding.Sort(o.Findings)
	return o
}

// examine checks one file, or takes what the cache has for the same content.
func (k *checkForm) examine(ctx context.Context, cache *checkCache, u checkUnit) (r unitResult) {
	defer func() {
		if p := recover(); p != nil {
			r.err = fmt.Errorf("a defect of girih: %v", p)
		}
	}()
	text, err := u.text()
	if err != nil {
		return unitResult{err: err}
	}
	if r.relevant = u.isRelevant(text); !r.relevant {
		return r
	}
	key := cache.key(u, text, k.q)
	if known, ok := cache.get(key); ok {
		r.examined = known
		return r
	}
	s := new(service.Session)
	s.AloneUntil(ctx)
	uses := map[string]string{}
	switch u.kind {
	case unitPTX:
		r.examined = s.ExaminePTX(u.path, string(text))
	case unitSource:
		r.examined = s.ExamineSource(u.path, string(text))
	case unitSettings:
		r.examined = examineSettings(s, u.path, string(text))
	case unitRun:
		r.examined = k.examineRun(s, u, string(text), uses)
	}
	if ctx.Err() == nil {
		cache.put(key, r.examined, uses)
	}
	return r
}

// examineRun runs a kernel as a description says. uses gets the digests of the files that the run reads.
func (k *checkForm) examineRun(s *service.Session, u checkUnit, text string, uses map[string]string) service.Examination {
	dir := filepath.Dir(filepath.FromSlash(u.path))
	open := func(name string, most int64) ([]byte, error) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		content, err := readRegular(name, most)
		uses[name] = digestOf(content, err)
		return content, err
	}
	q := service.SimRequest{
		Run: text, Open: open, Seeds: k.q.Seeds, Steps: k.q.Steps, Continue: k.q.Continue, Exhaustive: k.q.Exhaustive,
		Strict: k.q.Strict,
	}
	name, err := service.SimPTX(text)
	if beside := u.ptxBeside(); err != nil && beside != "" {
		name, err = beside, nil
	}
	var ptx []byte
	if err == nil {
		ptx, err = open(name, service.MaxSimPTX)
	}
	if err != nil {
		return service.NotRun(u.path, err)
	}
	q.PTX = string(ptx)
	path := filepath.FromSlash(name)
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return s.ExamineRun(u.path, withSlashes(path), q)
}
