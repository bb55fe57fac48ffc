//go:build !js

package service

// sayFollow returns the answer in words.
func sayFollow(q FollowRequest, r FollowResponse, _ Door) Answer {
	return Answer{Fault: r.Fault, OK: r.OK, Text: func() string { return "" }, Notes: r.Notes, Error: r.Error}
}
