import StoryEvents
import Testing

@testable import Exports

@Suite struct `A packed event` {
  @Test func `has room for all that the contract allows`() {
    #expect(PackedEvent.seq.most >= Int(ContractLimits.sequence.upperBound))
    #expect(PackedEvent.pagePlace.most >= ContractLimits.pageIndex.upperBound + 1)
    #expect(PackedEvent.pageCount.most >= ContractLimits.pageCount.upperBound)
    for type in EventType.allCases { #expect(PackedEvent.type.most >= Int(type.rawValue)) }
    for source in RichMediaSource.allCases { #expect(PackedEvent.sourcePlace.most >= Int(source.rawValue) + 1) }
    for action in ResponseAction.allCases { #expect(PackedEvent.actionPlace.most >= Int(action.rawValue) + 1) }
  }

  @Test func `has fields that do not overlap, in a number that is not negative`() {
    var end: Int64 = 63
    for field in PackedEvent.fields {
      #expect(field.shift >= 0 && field.shift + field.width <= end)
      end = field.shift
    }
  }

  @Test func `gives back the largest values of the contract side by side`() {
    func bits(_ field: PackedEvent.Field, _ value: Int) -> Int64 { Int64(value) << field.shift }
    let code =
      bits(PackedEvent.seq, Int(ContractLimits.sequence.upperBound))
      | bits(PackedEvent.type, Int(EventType.notificationResponse.rawValue))
      | bits(PackedEvent.pagePlace, ContractLimits.pageIndex.upperBound + 1)
      | bits(PackedEvent.pageCount, ContractLimits.pageCount.upperBound)
      | bits(PackedEvent.sourcePlace, Int(RichMediaSource.inApp.rawValue) + 1)
      | bits(PackedEvent.actionPlace, Int(ResponseAction.dismiss.rawValue) + 1)
    let event = [code.bigEndian, 0, 0].withUnsafeBytes { ExportedEvent($0, at: 0) }
    #expect(event.seq == Int(Int32.max) && event.type == .notificationResponse)
    #expect(event.pageIndex == 999 && event.pageCount == 1_000)
    #expect(event.sourcePlace == 2 && event.actionPlace == 3)
  }
}
