import Testing

@testable import StoryClient

struct UploadPlanTests {
  @Test func `an old alarm says nothing`() {
    var plan = UploadPlan()
    _ = plan.ask(.start, nowMicroseconds: 0)
    guard case .end(_, let first?) = plan.noAnswer(nowMicroseconds: 0, randomness: 0) else {
      Issue.record("no alarm")
      return
    }
    #expect(plan.ask(.request, nowMicroseconds: 1) == .send(mostEvents: 50))
    #expect(plan.wake(number: first.number) == .none)
    guard case .end(_, let second?) = plan.noAnswer(nowMicroseconds: 1, randomness: 0) else {
      Issue.record("no alarm")
      return
    }
    #expect(plan.wake(number: first.number) == .none)
    #expect(plan.wake(number: second.number) == .send(mostEvents: 50))
  }

  @Test(arguments: UploadPlan.Occasion.allCases)
  func `every occasion begins an upload, and joins one under way`(_ occasion: UploadPlan.Occasion) {
    var plan = UploadPlan()
    #expect(plan.ask(occasion, nowMicroseconds: 0) == .send(mostEvents: 50))
    #expect(plan.ask(occasion, nowMicroseconds: 0) == .none)
    #expect(plan.queueIsEmpty() == .end(.queueEmpty, wake: nil))
    #expect(plan.ask(occasion, nowMicroseconds: 0) == .send(mostEvents: 50))
  }

  @Test func `halving ends at one event, which is dropped, and then begins anew`() {
    var plan = UploadPlan()
    var count = 50
    var counts: [Int] = []
    while true {
      counts.append(count)
      let (fate, step) = plan.answered(.halve, eventCount: count, nowMicroseconds: 0, randomness: 0)
      guard case .send(let next) = step else {
        Issue.record("\(step)")
        return
      }
      #expect(fate == (count == 1 ? .drop : .keep))
      if count == 1 { break }
      count = next
    }
    #expect(counts == [50, 25, 12, 6, 3, 1] && plan.mostEvents == 50)
  }

  @Test func `only an answer of the collector's or its own size lets an event go`() {
    let verdicts: [(UploadVerdict, UploadPlan.Fate)] = [
      (.forget(accepted: 2, rejected: 0, messages: []), .remove), (.drop(message: ""), .drop), (.halve, .keep),
      (.retry(askedSeconds: nil), .keep), (.retry(askedSeconds: 5), .keep), (.stop(.keyRefused(status: 401)), .keep),
    ]
    for (verdict, fate) in verdicts {
      var plan = UploadPlan()
      #expect(plan.answered(verdict, eventCount: 2, nowMicroseconds: 0, randomness: 0).0 == fate)
    }
  }
}
