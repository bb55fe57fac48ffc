package service_test

import (
	"testing"

	"girih/internal/service"
)

// TestWatch checks that a run reports its instructions up to their limit, and then the moves that it sorts.
func TestWatch(t *testing.T) {
	t.Parallel()
	s := new(service.Session)
	var all []service.Progress
	s.Watch(func(p service.Progress) { all = append(all, p) })
	if r := s.Follow(service.FollowRequest{Kernel: "vector_add"}); !r.OK {
		t.Fatal(r.Error)
	}
	seen := map[string]int64{}
	for _, p := range all {
		if p.Done < seen[p.Stage] || p.Done > p.Most || p.Stage == "run" && seen["sort"] > 0 {
			t.Errorf("%+v comes after %v", p, seen)
		}
		seen[p.Stage] = max(p.Done, 1)
	}
	if seen["run"] < 10 || seen["sort"] == 0 {
		t.Errorf("the progress is %v", seen)
	}
}
