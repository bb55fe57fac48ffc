package view_test

import (
	"strings"
	"testing"

	"girih/internal/picture/view"
)

// pipeline has a warp that copies, a warp that waits, two stages and a barrier.
func pipeline() view.Timeline {
	return view.Timeline{
		Title: "a pipeline", Unit: "instructions", Begin: 100, End: 300,
		Tracks: []view.Track{
			{Group: "warps", Name: "warp 0", Spans: []view.Span{
				{From: 100, To: 150, Stage: -1}, {From: 150, To: 200, Kind: view.SpanWait, Stage: -1}, {From: 200, To: 400, Stage: -1},
			}, Marks: []view.Mark{{At: 110, Stage: 0, Tip: "line 3"}, {At: 350, Stage: 1}}},
			{Group: "warps", Name: "warps 1-3", Spans: []view.Span{{From: 0, To: 160, Kind: view.SpanWait, Stage: 1}}},
			{Group: "stages", Name: "0x400", Spans: []view.Span{
				{From: 110, To: 190, Kind: view.SpanFill, Stage: 0, Text: "0"}, {From: 190, To: 300, Kind: view.SpanReady, Stage: 0},
			}},
			{Group: "stages", Name: "0x800", Spans: []view.Span{
				{From: 120, To: 121, Kind: view.SpanFill, Stage: 27, Text: "1"}, {From: 210, To: 250, Kind: view.SpanDrain, Stage: 1},
			}},
		},
		Legend: []view.Legend{
			{Kind: view.SpanRun, Text: "runs"},
			{Kind: view.SpanWait, Text: "waits"},
			{Kind: view.SpanMark, Text: "a moment"},
			{Kind: view.SpanFill, Text: strings.Repeat("a long text ", 12)},
			{Kind: view.SpanReady, Text: "ready"},
		},
	}
}

func TestTimelineText(t *testing.T) {
	t.Parallel()
	const want = `a pipeline
warps
      warp 0  ##v#########.............#########################
   warps 1-3  ===============
stages
       0x400    aaaaaaaaaaaaaaaaaaaaAAAAAAAAAAAAAAAAAAAAAAAAAAAA
       0x800       b                     ----------
instructions  100                                            300
`
	if got := pipeline().Text(64); !strings.HasPrefix(got, want) {
		t.Errorf("the timeline is\n%s\nwant\n%s", got, want)
	}
}

// TestTimelineTracks checks that the number of tracks is limited, and that a timeline without time can be drawn.
func TestTimelineTracks(t *testing.T) {
	t.Parallel()
	x := pipeline()
	for len(x.Tracks) < 97 {
		x.Tracks = append(x.Tracks, x.Tracks[0])
	}
	if _, err := x.Scene(view.Options{}); err == nil || err.Error() != "97 tracks, and a picture has room for 96" {
		t.Errorf("97 tracks: %v", err)
	}
	var none view.Timeline
	if s, err := none.Scene(view.Options{}); err != nil || s.H <= 0 {
		t.Errorf("nothing: %v", err)
	}
	if text := none.Text(0); !strings.Contains(text, "executes") {
		t.Errorf("nothing is written %q", text)
	}
}
