"""The engine `maximal`: the matches contained in no other, found backwards from their end event."""
