// Package pictures compares what the page shows with brute force. It has no code of its own: its tests run the modules
// of the page in node and look where elements are in each grid, at their labels, at what the inspector says, what is
// lit, and what a comparison says.
package pictures
